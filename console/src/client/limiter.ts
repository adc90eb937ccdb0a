// Bounds how much runs at once: a browser has six connections for all of its tabs.

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs `most` works at once, the others in the order in which they came. */
export function createLimiter(most: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  const turn = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    return promise;
  };
  return async (work) => {
    if (running >= most) await turn();
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
