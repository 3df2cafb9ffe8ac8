// Replaces the browser's classes on a server, where the panel may be imported but is not used.

class NoElement {
  constructor() {
    throw new Error("<launchpad-desk> needs a page: it can be imported on a server, and made only in a browser");
  }
}

const element = globalThis.HTMLElement ?? NoElement;
const page = globalThis.document ?? { createTreeWalker: () => null };

export { element as HTMLElement, page as document };
