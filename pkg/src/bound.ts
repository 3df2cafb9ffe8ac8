// A bound on how long something is waited for.

/** Settles as the work does. If the work takes longer than this, it settles as `late` does, and what comes of the work is ignored. */
export function within<T, L>(ms: number, work: T | PromiseLike<T>, late: () => L): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (thrown) {
        reject(thrown);
      }
    }, ms);
    void Promise.resolve(work)
      .then(resolve, reject)
      .then(() => clearTimeout(timer));
  });
}
