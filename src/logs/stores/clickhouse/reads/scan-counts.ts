// How many rows scans have, counted by ClickHouse once in a run: beside the statement that reads some of them, where the count of
// all will be asked for in any case.

import type { TimeRange } from '#logs/log-store.ts';
import { millisecondsOf } from '#logs/runs/tables/timed-rows.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';

/** Counts the rows of a table in the range of a scan, on all shards. */
type CountTable = (scan: Scan, name: string, range: TimeRange) => Promise<readonly (readonly unknown[])[]>;

export class ScanCounts implements AsyncDisposable {
  readonly #count: CountTable;
  readonly #counts = new Map<string, Promise<bigint>>();

  constructor(count: CountTable) {
    this.#count = count;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#counts.values());
  }

  /** Begins to count all rows of a scan. */
  begin(scan: Scan): void {
    for (const { name } of scan.tables) this.of(scan, name, millisecondsOf(scan.range)).catch(() => undefined);
  }

  async all(scan: Scan, range: TimeRange): Promise<bigint> {
    let total = 0n;
    for (const { name } of scan.tables) total += await this.of(scan, name, range);
    return total;
  }

  of(scan: Scan, name: string, range: TimeRange): Promise<bigint> {
    const key = JSON.stringify([name, range.from, range.to]);
    const counting = this.#counts.get(key) ?? this.#counted(scan, name, range);
    this.#counts.set(key, counting);
    return counting;
  }

  async #counted(scan: Scan, name: string, range: TimeRange): Promise<bigint> {
    const found = await this.#count(scan, name, range);
    return found.reduce((total, [count]) => total + BigInt(Number(count)), 0n);
  }
}
