// What a table must hold, told from what the service has acknowledged. Records are known by their number `n`, which no
// two records of a run share.

import { expect } from 'vitest';
import { push, rowsOf } from '#test/support/logs.ts';
import type { Service } from '#test/support/service.ts';

export type Caller = Pick<Service, 'call'>;

export const DAY_MS = 86_400_000;
const LONG_BODY = 40_000;

/** Numbers for records; one per run. */
export interface Sequence {
  next: number;
}

export class Ledger {
  readonly #kept = new Set<number>();
  readonly #gone = new Set<number>();
  /** Removals that were asked for and not answered: each has happened as a whole, or not at all. */
  #doubtful: ReadonlySet<number>[] = [];

  /** Records that must be there, as far as nobody doubts them. */
  get size(): number {
    return this.#kept.size;
  }

  keep(numbers: Iterable<number>): void {
    for (const n of numbers) this.#kept.add(n);
  }

  /** From now on those of `numbers` that are there may be gone, all of them or none. */
  doubt(numbers: readonly number[]): void {
    this.#doubtful.push(new Set(numbers.filter((n) => this.#kept.delete(n))));
  }

  /** What was doubtful is gone: the service has said so. */
  removed(): void {
    for (const group of this.#doubtful) for (const n of group) this.#gone.add(n);
    this.#doubtful = [];
  }

  /** Holds what was read against what must be there. What is read now must be there from now on. */
  settle(table: string, read: readonly number[]): void {
    const present = new Set(read);
    expect(present.size, `${table} repeats records`).toBe(read.length);
    expect(
      [...this.#kept].filter((n) => !present.has(n)),
      `${table} lost records`,
    ).toEqual([]);
    expect(
      [...this.#gone].filter((n) => present.has(n)),
      `${table} has removed records again`,
    ).toEqual([]);
    for (const group of this.#doubtful) this.#decide(table, group, present);
    this.#doubtful = [];
    // What was under way when the service was killed may have been kept.
    this.keep(read);
  }

  #decide(table: string, group: ReadonlySet<number>, present: ReadonlySet<number>): void {
    const left = [...group].filter((n) => present.has(n));
    expect([0, group.size], `${table} lost ${group.size - left.length} of ${group.size} records`).toContain(
      left.length,
    );
    if (left.length === 0) for (const n of group) this.#gone.add(n);
  }
}

/** Reads a table, settles its ledger and compares every field of every record with what was sent. */
export async function settle(service: Caller, table: string, ledger: Ledger): Promise<number> {
  const rows = await rowsOf(service, `table ${table}`);
  expect(new Set(rows.map(({ _id }) => _id)).size, `${table} repeats ids`).toBe(rows.length);
  for (const { _id, _table, _time, ...fields } of rows) expect(fields).toEqual(fieldsOf(fields.n));
  expect(await rowsOf(service, `table ${table} | stats count`)).toEqual([{ count: rows.length }]);
  ledger.settle(
    table,
    rows.map(({ n }) => n),
  );
  return rows.length;
}

/** New numbers of records. */
export const take = (sequence: Sequence, count: number): number[] =>
  Array.from({ length: count }, () => {
    sequence.next += 1;
    return sequence.next;
  });

/** Pushes records of one second and writes them down once they are acknowledged. */
export async function pushTo(
  ledger: Ledger,
  { service, logger }: { service: Caller; logger: string },
  { numbers, time }: { numbers: readonly number[]; time: number },
): Promise<void> {
  // A field of the service is dropped; with it half of the bodies are long enough for a decoding thread.
  const padding = Math.random() < 0.5 ? [`{"_node":"${'x'.repeat(LONG_BODY)}",`] : ['{'];
  const lines = numbers.map((n) => JSON.stringify({ ...fieldsOf(n), _time: time + (n % 1000) }));
  const body = lines.map((line, at) => `${padding[at] ?? '{'}${line.slice(1)}`).join('\n');
  const answer = await push(service, logger, { body });
  if (answer.status !== 200 || answer.json.accepted !== numbers.length) throw new Error(answer.text);
  ledger.keep(numbers);
}

/** Fields that change their type from record to record. */
function fieldsOf(n: number): Readonly<Record<string, unknown>> {
  return { n, status: [500, '500', { code: 500 }, 5.5, null][n % 5], [`field${n % 7}`]: n };
}

/** A refusal of the service, other than its end, is a defect. */
export async function done(service: Caller, method: string, path: string, form: Record<string, string> = {}) {
  const answer = await service.call(method, path, { form });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.json;
}

export const upTo = (most: number) => 1 + Math.floor(Math.random() * most);
