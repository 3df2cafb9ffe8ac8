// undici's own retries, installed under the runtime's fetch.

import { getGlobalDispatcher, interceptors, setGlobalDispatcher } from "undici";

const retry = interceptors.retry({ methods: ["POST"], maxRetries: 2, minTimeout: 10, timeoutFactor: 1 });
setGlobalDispatcher(getGlobalDispatcher().compose(retry));
