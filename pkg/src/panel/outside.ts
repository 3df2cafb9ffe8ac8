// What stands in for a page where there is none: who renders on a server imports the panel there too, and does not use it.

class NoElement {
  constructor() {
    throw new Error("<launchpad-desk> needs a page: it can be imported on a server, and made only in a browser");
  }
}

const element = globalThis.HTMLElement ?? NoElement;
const page = globalThis.document ?? { createTreeWalker: () => null };

export { element as HTMLElement, page as document };
