// A retrying fetch that replaces the runtime's own before a program imports anything.

const { fetch } = globalThis;

globalThis.fetch = async (url, init) => {
  try {
    return await fetch(url, init);
  } catch {
    return fetch(url, init);
  }
};
