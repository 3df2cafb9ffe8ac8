// Scheduling of long work, so that the page can paint and respond in between.

/** Longer than a frame on a slow machine: a hidden page paints no frames. */
const NO_FRAME_MS = 200;
/** How long to wait for a busy page before the work that waits for idle time starts anyway. */
const NO_REST_MS = 1_000;

/** Lets the page do other pending work. Browsers delay timers, but not messages. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** Resolves once the page has painted what has changed. */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, NO_FRAME_MS);
    requestAnimationFrame(() => {
      clearTimeout(late);
      void turn().then(resolve);
    });
  });

/** Resolves once the page has nothing else to do; Safari does not say when that is. */
export const atRest = (): Promise<void> =>
  new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: NO_REST_MS });
    else void painted().then(resolve);
  });
