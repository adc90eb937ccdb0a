// Bulk operations answer item by item: failed items are named, all others succeeded.

export interface Failure {
  readonly id: string;
  readonly reason: string;
}

interface BulkRemoval {
  readonly failures: readonly Failure[];
}

/** Calls `work` once for each distinct id. `work` returns the reason of a failure, or nothing. */
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
