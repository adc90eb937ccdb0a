// Work that is started together and must have ended together.

/** Settles when all of it has ended. Rejects with the reason of the first one in the list that has failed. */
export async function allEnded(work: readonly Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(work);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
