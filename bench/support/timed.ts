// How long a piece of work takes, with what it gives.

export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; milliseconds: number }> {
  const begun = performance.now();
  const value = await work();
  return { value, milliseconds: performance.now() - begun };
}
