import axios from "axios";

if (typeof axios.post !== "function") throw new Error("axios has no post");
