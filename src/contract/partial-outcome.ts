// Bulk operations answer item by item: what could not be done is named, everything else was done.

export interface Failure {
  readonly id: string;
  readonly reason: string;
}

export interface BulkRemoval {
  readonly failures: readonly Failure[];
}

/** Does `work` for each id, an id given twice once. `work` gives the reason why it could not, or nothing. */
export async function eachOnce(
  ids: readonly string[],
  work: (id: string) => Promise<string | undefined>,
): Promise<BulkRemoval> {
  const failures: Failure[] = [];
  for (const id of new Set(ids)) {
    const reason = await work(id);
    if (reason !== undefined) failures.push({ id, reason });
  }
  return { failures };
}
