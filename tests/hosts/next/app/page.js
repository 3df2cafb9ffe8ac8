"use client";

import { useEffect, useState } from "react";
import { trade } from "./trade.js";

export default function Page() {
  const [found, setFound] = useState();
  useEffect(() => void trade().then(setFound), []);
  return <output>{JSON.stringify(found)}</output>;
}
