// The time of a processor that synchronous work takes: on a busy machine work waits, and does not become more.

/** Milliseconds, of this thread alone. */
export function processorMs(work: () => void): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}
