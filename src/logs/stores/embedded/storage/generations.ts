// The generations of a table, oldest first; the last one takes appends, those before it are being sealed. A journal that
// turns out corrupt when it is read back is no generation: the file stays as it is, its records are in no segment, and the
// catalog lists it as left, so that it is not taken for sealed.

import { basename } from 'node:path';
import type { ApiError } from '#contract/errors.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import type { TableSpec } from '#logs/log-store.ts';
import type { Leaves } from '#logs/stores/shared/leaves.ts';
import type { CatalogSwitch, TableCatalog } from './catalog.ts';
import { Generation } from './generation.ts';
import type { InsertBacklog } from './insert-backlog.ts';
import { journalPath, journalsIn, removeJournal } from './journal.ts';
import { type Frame, readJournal } from './journal-frames.ts';
import type { RecoveredFrame } from './recovered-lines.ts';
import type { SegmentStorage } from './segment-storage.ts';

interface GenerationsDeps {
  readonly storage: SegmentStorage;
  readonly backlog: InsertBacklog;
  readonly folder: string;
  readonly clock: Clock;
  /** Learns columns and figures from a frame that an earlier process wrote. */
  examine(frame: Frame): RecoveredFrame;
  /** Of the table, as they are now. */
  leaves(): Leaves;
  /** Ids up to this one may have been given. */
  idsUpTo(id: number): void;
  /** Reports a corrupt file, and gives the refusal that names it. */
  reportCorruption(file: string): ApiError;
}

/** Time after which a table that was read counts as unread. */
const READ_MS = 60_000;
/** For a seal, by an append whose records are durable: the metadata database may not answer. */
const MAX_SEAL_WAIT = Temporal.Duration.from({ seconds: 5 });

export class Generations {
  readonly #spec: TableSpec;
  readonly #deps: GenerationsDeps;
  #all: readonly Generation[] = [];
  #corrupt: readonly number[] = [];
  #journalFrom = 0;
  /** When a query has asked for all records, in epoch milliseconds. */
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(spec: TableSpec, deps: GenerationsDeps) {
    this.#spec = spec;
    this.#deps = deps;
  }

  /** Recovers the journals of an earlier process, and begins a new generation where none takes appends. */
  async recover({ journalFrom, leftJournals }: TableCatalog): Promise<void> {
    const { folder } = this.#deps;
    this.#journalFrom = journalFrom;
    for (const number of await journalsIn(folder)) {
      const isSealed = number < journalFrom && !leftJournals.includes(number);
      if (isSealed) await removeJournal(folder, number);
      else await this.#open(number);
    }
    const next = Math.max(journalFrom, ...this.#corrupt.map((number) => number + 1));
    if (!this.newest || this.newest.number < next) await this.#open(next);
  }

  get all(): readonly Generation[] {
    return this.#all;
  }

  get newest(): Generation | undefined {
    return this.#all.at(-1);
  }

  /** Refuses while records are missing. */
  requireWhole(): void {
    const [number] = this.#corrupt;
    if (number !== undefined) throw this.#corruptJournal(number);
  }

  /** Begins a new one unless the newest is empty. */
  async rotate(): Promise<void> {
    if (this.newest && this.newest.rows > 0) await this.#open(this.newest.number + 1);
  }

  /** For a query: resolves when all records that were appended before the call are in the hot tables. */
  async settled(): Promise<void> {
    this.#readAt = this.#deps.clock.nowMs();
    for (const { hot } of this.#all) await hot.settled();
  }

  /** Lines that are in no hot table yet are in journals. */
  async close(): Promise<void> {
    for (const generation of this.#all) await generation.close();
  }

  /** The journals in the catalog once this generation is sealed. */
  changeFor({ number }: Generation): Required<Pick<CatalogSwitch, 'journalFrom' | 'leftJournals'>> {
    // One that was corrupt and is whole again comes after its successors.
    const journalFrom = Math.max(this.#journalFrom, number + 1);
    const waiting = this.#all.map((one) => one.number).filter((one) => one !== number && one < journalFrom);
    return { journalFrom, leftJournals: [...this.#corrupt, ...waiting] };
  }

  /** The catalog has been switched: from this moment on its records are read from segments. */
  leave(generation: Generation): void {
    this.#journalFrom = this.changeFor(generation).journalFrom;
    this.#all = this.#all.filter((one) => one !== generation);
  }

  async #open(number: number): Promise<void> {
    const { storage, folder, clock, ...deps } = this.#deps;
    const journalName = `${this.#spec.id} ${number}`;
    const content = await readJournal(journalPath(folder, number), storage.framing(number), journalName);
    if ('idsUpTo' in content) {
      this.#deps.idsUpTo(content.idsUpTo);
      this.#corrupt = [...this.#corrupt, number];
      // For the service log; every read is refused again.
      this.#corruptJournal(number);
      return;
    }
    const own = { number, journalName, content, instance: storage.instance, folder, begun: clock.nowMs() };
    const scratch = (name: string) => storage.scratch(name);
    const isRead = () => clock.nowMs() - this.#readAt < READ_MS;
    const olderSealed = () => {
      const older = this.#all.filter((one) => one.number < number);
      const sealed = Promise.allSettled(older.map(({ sealing }) => sealing));
      return withTimeout(clock, MAX_SEAL_WAIT, sealed, []);
    };
    const generation = await Generation.open(this.#spec, { ...deps, ...own, scratch, isRead, olderSealed });
    // Another one may have left meanwhile.
    this.#all = [...this.#all, generation];
  }

  #corruptJournal(number: number): ApiError {
    return this.#deps.reportCorruption(basename(journalPath(this.#deps.folder, number)));
  }
}
