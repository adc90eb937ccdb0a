// Records that become part of a table together. They are inserted under the number of an upload, day by day as they come, and stay
// hidden until one unit of the metadata store removes its row; what is abandoned is deleted.

import type { Days } from '#kernel/time/days.ts';
import type { Alongside, LineBatch, LogRecord, Staging } from '#logs/log-store.ts';
import { Serial } from '#runtime/serial.ts';
import { CommitUnanswered } from '#store/unreachable.ts';
import type { NumberedRecords } from './rows.ts';

interface StagingDeps {
  readonly days: Days;
  takeIds(count: number): Promise<number>;
  /** Learns columns in the order of records: inserts are in that of days. */
  learn(given: readonly LogRecord[] | LineBatch): Promise<unknown>;
  /** Begins an upload, and gives its number. */
  begin(): Promise<number>;
  insert(day: string, records: readonly NumberedRecords[], upload: number): Promise<void>;
  commit(upload: number, alongside: Alongside): Promise<void>;
  /** Deletes what was inserted under the number. */
  abandon(upload: number): Promise<void>;
  ended(): void;
}

/** Records of one day that wait for their insert. */
interface Gathered {
  readonly records: NumberedRecords[];
  rows: number;
  characters: number;
}

const MAX_ROWS = 100_000;
const MAX_CHARACTERS = 16 * 2 ** 20;
/** A log that has no order may be of all days at once; the one that began first is inserted then. */
const MAX_DAYS = 16;
/** Records of a run that are looked at together. */
const SLICE_RECORDS = 256;

export class UploadStaging implements Staging {
  readonly #deps: StagingDeps;
  readonly #gathered = new Map<string, Gathered>();
  #upload: Promise<number> | undefined;
  readonly #steps = new Serial();
  #isOver = false;

  constructor(deps: StagingDeps) {
    this.#deps = deps;
  }

  add(given: readonly LogRecord[] | LineBatch): Promise<(index: number) => number> {
    return this.#step(async () => {
      const count = 'count' in given ? given.count : given.length;
      const firstId = await this.#deps.takeIds(count);
      await this.#deps.learn(given);
      for (let from = 0; from < count; from += SLICE_RECORDS) {
        const to = Math.min(from + SLICE_RECORDS, count);
        // Copies: the bytes of a run are used again for the next lines.
        const records = 'count' in given ? given.records(from, to) : given.slice(from, to);
        this.#gather(records, firstId + from);
        await this.#insertFull();
      }
      return (index) => firstId + index;
    });
  }

  async commit(alongside: Alongside): Promise<void> {
    await this.#step(async () => {
      try {
        for (const day of [...this.#gathered.keys()]) await this.#insert(day);
        const upload = await this.#number();
        this.#end();
        await this.#deps.commit(upload, alongside);
      } catch (error) {
        this.#end();
        // While the store closes, nothing tells the outcome of a commit in doubt: the next start decides.
        if (!(error instanceof CommitUnanswered)) await this.#abandon();
        throw error;
      }
    });
  }

  async discard(): Promise<void> {
    if (this.#isOver) return;
    this.#end();
    await this.#steps.ended();
    await this.#abandon();
  }

  #gather(records: readonly LogRecord[], firstId: number): void {
    for (let from = 0; from < records.length; ) {
      const { name, begins, ends } = this.#deps.days.of(records[from]?.time ?? 0);
      const isOther = ({ time }: LogRecord, at: number) => at >= from && (time < begins || time >= ends);
      const end = records.findIndex(isOther);
      const some = records.slice(from, end === -1 ? undefined : end);
      const gathered = this.#gathered.get(name) ?? { records: [], rows: 0, characters: 0 };
      this.#gathered.set(name, gathered);
      gathered.records.push({ part: some, firstId: firstId + from });
      gathered.rows += some.length;
      gathered.characters += some.reduce((sum, { text }) => sum + text.length, 0);
      from += some.length;
    }
  }

  async #insertFull(): Promise<void> {
    for (const [day, { rows, characters }] of [...this.#gathered]) {
      if (rows >= MAX_ROWS || characters >= MAX_CHARACTERS) await this.#insert(day);
    }
    const [oldest] = this.#gathered.size > MAX_DAYS ? this.#gathered.keys() : [];
    if (oldest !== undefined) await this.#insert(oldest);
  }

  async #insert(day: string): Promise<void> {
    const gathered = this.#gathered.get(day);
    if (!gathered) return;
    this.#gathered.delete(day);
    await this.#deps.insert(day, gathered.records, await this.#number());
  }

  /** An upload without records has a number, too: its commit writes something alongside. */
  #number(): Promise<number> {
    this.#upload ??= this.#deps.begin();
    return this.#upload;
  }

  async #abandon(): Promise<void> {
    this.#gathered.clear();
    const upload = await this.#upload?.catch(() => undefined);
    if (upload !== undefined) await this.#deps.abandon(upload);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deps.ended();
  }

  #step<T>(work: () => Promise<T>): Promise<T> {
    return this.#steps.run(() => {
      if (this.#isOver) throw new Error('the staging is over');
      return work();
    });
  }
}
