// When to do what is long, so that a page can paint and answer in between.

/** Longer than a frame of a slow machine: a page that is out of sight paints none. */
const NO_FRAME_MS = 200;
/** How long a page may be at work before what waits for its rest is done all the same. */
const NO_REST_MS = 1_000;

/** Lets the page do what else is due. Unlike a timer's, a message's turn is not held up. */
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
