// Moves of tables between the locations of their records, one for each table at most.
//
//   running ──► new records go to the new location ──► days are copied and switched, newest first ──► finished
//      └──────────────────────────────► cancelled or failed: each day stays where it is then
//
// All that is decided is a row of the metadata store: a move that the end of the process has cut off goes on at the next start.

import { ApiError, databaseUnreachable } from '#contract/errors.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import { type Location, TableGone, type TableMoves, type TableSpec } from '#logs/log-store.ts';
import type { ClickhouseStore } from '#logs/stores/clickhouse/clickhouse-store.ts';
import type { EmbeddedStore } from '#logs/stores/embedded/embedded-store.ts';
import { tableSpecs } from '#logs/stores/embedded/storage/catalog.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import type { Locations } from './locations.ts';
import {
  countDay,
  findMove,
  locationIn,
  type MoveRow,
  type MoveState,
  unfinishedMoves,
  updateMove,
  writeLocation,
} from './move-catalog.ts';
import type { MoveDirection } from './move-direction.ts';
import type { RunsOfStores } from './runs-of-stores.ts';
import type { TableLocks } from './table-locks.ts';
import { toClickhouse } from './to-clickhouse.ts';
import { toEmbedded } from './to-embedded.ts';
import type { Writers } from './writers.ts';

export interface MovesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly embedded: EmbeddedStore;
  readonly clickhouse: ClickhouseStore;
  readonly locations: Locations;
  readonly locks: TableLocks;
  readonly writers: Writers;
  readonly runs: RunsOfStores;
  /** For rows on their way. */
  readonly spillFolder: string;
  /** Reports a defect in the background. */
  failed(error: unknown): void;
}

/** The work on one table. */
interface Task {
  /** No further day is begun. */
  readonly cancelling: AbortController;
  /** Ends at once: the table is gone, or another move begins. */
  readonly ending: AbortController;
  readonly moved: Promise<void>;
  readonly ended: Promise<void>;
}

/** Ids for records that are on their way to the old location when a move begins. */
const ROOM = 2 ** 32;

/** Between two looks at runs that read what is to be dropped. */
const PAUSE = Temporal.Duration.from({ seconds: 1 });

const INTERNAL = 'internal error';

export class Moves implements TableMoves {
  readonly #deps: MovesDeps;
  readonly #tasks = new Map<number, Task>();

  constructor(deps: MovesDeps) {
    this.#deps = deps;
  }

  /** Goes on with what an earlier process has begun. */
  async resume(): Promise<void> {
    const specs = new Map((await tableSpecs(this.#deps.store)).map((spec) => [spec.id, spec]));
    for (const { tableId } of await unfinishedMoves(this.#deps.store)) {
      const spec = specs.get(tableId);
      if (spec) this.begin({ id: spec.id, name: spec.name, layout: spec.layout, compression: spec.compression });
    }
  }

  begin(spec: TableSpec): void {
    const before = this.#tasks.get(spec.id);
    before?.ending.abort();
    const cancelling = new AbortController();
    const ending = new AbortController();
    const work = { spec, cancelling: cancelling.signal, ending: ending.signal };
    const moved = Promise.resolve(before?.ended).then(() => this.#run(work));
    const ended = moved.then((isOver) => (isOver ? this.#clear(work) : undefined));
    const task: Task = { cancelling, ending, moved: moved.then(() => undefined), ended };
    this.#tasks.set(spec.id, task);
    void ended.finally(() => {
      if (this.#tasks.get(spec.id) === task) this.#tasks.delete(spec.id);
    });
  }

  async cancel(spec: TableSpec): Promise<void> {
    const task = this.#tasks.get(spec.id);
    task?.cancelling.abort();
    await task?.moved;
    // The end of a move may not have been written, where the metadata store was away.
    const move = await this.#deps.store.read((db) => findMove(db, spec.id));
    if (move?.state === 'running' && !this.#tasks.has(spec.id)) await this.#cancelled(spec);
  }

  /** The row of the table is gone. */
  async drop({ id }: TableSpec): Promise<void> {
    const task = this.#tasks.get(id);
    task?.ending.abort();
    await task?.ended;
  }

  /** Moves go on at the next start. Resolves when all have stopped; those that wait for ClickHouse stop when its engine closes. */
  async stop(): Promise<void> {
    const tasks = [...this.#tasks.values()];
    for (const { ending } of tasks) ending.abort();
    await Promise.all(tasks.map(({ ended }) => ended));
  }

  /** Whether the old location is to be cleared. */
  async #run(work: Work): Promise<boolean> {
    const { store } = this.#deps;
    const { id } = work.spec;
    try {
      const move = await store.read((db) => findMove(db, id));
      if (!move || work.ending.aborted) return false;
      if (move.state !== 'running') return true;
      return (await this.#move(work, move)) === 'finished';
    } catch (error) {
      if (!work.ending.aborted && !(error instanceof TableGone)) await this.#fail(id, error);
      return false;
    }
  }

  async #move(work: Work, { to_place: to, from_place: from }: MoveRow): Promise<MoveState> {
    const { locations } = this.#deps;
    const { spec } = work;
    await locations.load([spec.id]);
    const direction = await this.#direction(spec, to);
    const { writesTo, isSplit } = locations.now(spec.id);
    if (writesTo !== to || !isSplit) await this.#adopt(spec, direction, to);
    for (;;) {
      if (work.cancelling.aborted) return await this.#cancelled(spec);
      const isQuiet = await this.#oldWritersGone(work, direction, from);
      if (work.cancelling.aborted) continue;
      const [day, ...others] = await direction.days();
      if (day !== undefined) await this.#moveDay(work, direction, { day, daysLeft: others.length });
      else if (isQuiet) return await this.#finish(spec, direction, to);
      else await orAborted(this.#deps.writers.gone({ tableId: spec.id, location: from, kind: 'upload' }), work);
    }
  }

  /** New records go to the new location from here on, and runs read both. */
  async #adopt(spec: TableSpec, direction: MoveDirection, to: Location): Promise<void> {
    const { locks, runs, locations } = this.#deps;
    using _alone = await locks.alone(spec.id);
    await runs.extend(spec, to);
    const location = { writesTo: to, isSplit: true };
    await direction.adopt((unit) => writeLocation(unit, spec.id, location), ROOM);
    locations.set(spec.id, location);
  }

  /** What went to the old location before is stored there. Gives whether uploads to it have ended, too. */
  async #oldWritersGone(work: Work, { awaitsUploads }: MoveDirection, location: Location): Promise<boolean> {
    const { writers } = this.#deps;
    const tableId = work.spec.id;
    await orAborted(writers.gone({ tableId, location, kind: 'append' }), work);
    if (awaitsUploads) await orAborted(writers.gone({ tableId, location, kind: 'upload' }), work);
    // Before days are listed: those of an upload that ends behind it are among the next.
    return !writers.has({ tableId, location, kind: 'upload' });
  }

  async #moveDay(
    { spec, ending }: Work,
    direction: MoveDirection,
    { day, daysLeft }: { readonly day: string; readonly daysLeft: number },
  ): Promise<void> {
    const { store, locks } = this.#deps;
    await store.write((unit) => updateMove(unit, spec.id, { days_left: daysLeft + 1 }));
    await direction.copy(day, {
      signal: ending,
      switched: async (rows, change) => {
        using _alone = await locks.alone(spec.id);
        return await change((unit) => countDay(unit, spec.id, { rows, daysLeft }));
      },
    });
    ending.throwIfAborted();
  }

  /** Offsets of sources may have been stored at the old location by what was on its way there. */
  async #finish(spec: TableSpec, direction: MoveDirection, to: Location): Promise<MoveState> {
    const { locks, locations } = this.#deps;
    using _alone = await locks.alone(spec.id);
    const location = { writesTo: to, isSplit: false };
    await direction.adopt(async (unit) => {
      await writeLocation(unit, spec.id, location);
      await updateMove(unit, spec.id, { state: 'finished', finished_at: this.#now, days_left: 0 });
    }, 0);
    locations.set(spec.id, location);
    return 'finished';
  }

  async #cancelled({ id }: TableSpec): Promise<MoveState> {
    const ended = { state: 'cancelled', finished_at: this.#now } as const;
    await this.#deps.store.write((unit) => updateMove(unit, id, ended));
    return 'cancelled';
  }

  /** An answer that the caller of an operation would get is no defect. */
  async #fail(id: number, error: unknown): Promise<void> {
    const { store, failed } = this.#deps;
    const answer = error instanceof StoreUnreachable ? databaseUnreachable() : error;
    const isAnswer = answer instanceof ApiError;
    if (!isAnswer) failed(error);
    const ended = { state: 'failed', finished_at: this.#now, error: isAnswer ? answer.message : INTERNAL } as const;
    await store
      .write((unit) => updateMove(unit, id, ended))
      .catch((cause) => cause instanceof StoreUnreachable || failed(cause));
  }

  /** Behind a finished move; where it fails, the next start tries it again. */
  async #clear({ spec, ending }: Work): Promise<void> {
    try {
      const { writesTo, isSplit } = await this.#deps.store.read((db) => locationIn(db, spec.id));
      if (isSplit) return;
      await (await this.#direction(spec, writesTo)).end(ending);
    } catch (error) {
      if (!ending.aborted && !(error instanceof TableGone)) this.#deps.failed(error);
    }
  }

  async #direction(spec: TableSpec, to: Location): Promise<MoveDirection> {
    const { embedded, clickhouse, spillFolder } = this.#deps;
    const table = await embedded.table(spec);
    const { moving } = clickhouse;
    if (to === 'clickhouse') {
      await moving.table(spec);
      return toClickhouse({ table, moving });
    }
    return toEmbedded({
      table,
      moving,
      spillFolder,
      isStill: async (db: Db) => {
        const { writesTo, isSplit } = await locationIn(db, spec.id);
        return writesTo === 'embedded' && !isSplit;
      },
      pause: (signal) => systemClock.sleep(PAUSE, signal).then(() => signal.throwIfAborted()),
    });
  }

  get #now(): number {
    return this.#deps.clock.now().epochMilliseconds;
  }
}

interface Work {
  readonly spec: TableSpec;
  readonly cancelling: AbortSignal;
  readonly ending: AbortSignal;
}

/** Resolves also when the move is cancelled; rejects when it is to end at once. */
async function orAborted(work: Promise<void>, { cancelling, ending }: Work): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const either = AbortSignal.any([cancelling, ending]);
  const stop = () => resolve();
  either.addEventListener('abort', stop);
  if (either.aborted) resolve();
  await Promise.race([work, promise]).finally(() => either.removeEventListener('abort', stop));
  ending.throwIfAborted();
}
