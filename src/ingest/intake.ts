// The only way of logs into a table. Logs are examined as they arrive, stored, and acknowledged when the findings in them are
// stored, too: no finding of a stored log is lost, acknowledged or not, and none is raised twice.

import { ApiError, noSpaceLeft, notFound } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import {
  type Alongside,
  type LineBatch,
  type LogRecord,
  type LogStore,
  NoSpace,
  type SourceOffset,
  TableGone,
  type TableSpec,
} from '#logs/log-store.ts';
import { retry, sameDelay } from '#runtime/retry.ts';
import type { Db } from '#store/kysely.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import type { Store } from '#store/store.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import type { CountObserver } from './counts/counters.ts';
import { countRepaired } from './decode/repair.ts';
import type { UnraisedFindings } from './unraised-findings.ts';

/** Until findings that could not be stored are tried again. */
const RETRY_MS = 1000;
/** Before findings are given up, see `#record`. */
const MIN_TRIES = 10;

/** A record with the schema that a rule of its logger's model has made it a log of. */
export interface Log extends LogRecord {
  readonly schema?: string;
  /** The rules of its logger's model that took too many steps for it, by name. */
  readonly exceeded?: readonly string[];
}

/** Logs in the order in which they came, some of them as batches of lines. */
export interface LogBatch {
  readonly parts: readonly (readonly Log[] | LineBatch)[];
}

/** The logger that logs come from; uploads have none. */
export interface Origin {
  readonly loggerGuid: string;
  readonly modelGuid: string;
}

export interface Destination {
  readonly table: TableSpec;
  /** Of the table: logs that have no schema of their own are logs of this one. */
  readonly schemaCode: string | null;
  readonly origin: Origin | undefined;
  /** The way in: `push`, the name of a sender protocol, or the kind of the logger. */
  readonly protocol: string;
}

/** Examines logs as they arrive. */
export interface Watcher {
  /** For logs that are about to be kept, together but maybe in pieces. */
  examine(destination: Destination): Examination;
  /** Makes a finding of its contents; rules that are no longer in force are left out. */
  restored(tableId: number, contents: FindingContents): Promise<Finding>;
}

export interface Examination {
  add(logs: readonly Log[] | LineBatch | LogBatch): Promise<void>;
  /** What was found in all of them; undefined where that is nothing. */
  finding(): Finding | undefined;
  /** Whether some of what was added last could not be judged. */
  readonly isUnjudged: boolean;
  /** Tells the `_id` of each log that was added last, by its index; undefined where it is not known. */
  number(idOf: IdOf): void;
  /** Told when they are kept: what could not be judged is reported. */
  kept(): void;
}

export type IdOf = (index: number) => number | undefined;

/** A finding as texts of about a megabyte at most, sealed if its table is encrypted. */
export interface FindingContents {
  readonly isSealed: boolean;
  readonly texts: readonly string[];
}

export interface Finding {
  contents(db: Db): Promise<FindingContents>;
  /** Part of the unit that puts it on record; what is tried again is raised anew. */
  raise(db: Db): Promise<void>;
  /** Told when that is durable: whatever comes next is looked at by what was found. */
  raised(): Promise<void>;
}

/** Options for a source that can be read again. */
interface Taking {
  /** Kept with the logs. */
  readonly offsets?: readonly SourceOffset[];
  /** Written in the unit that puts on record what was found in them: they need not be examined again. */
  readonly alongside?: Alongside;
  /** Called once when the logs are durable, also if there are none: before what was found in them is on record. */
  readonly stored?: () => void;
  /** Nothing is stored once it is aborted: the sender has gone, and sends the logs again. */
  readonly gone?: AbortSignal;
}

interface IntakeDeps {
  readonly engine: LogStore;
  readonly store: Store;
  readonly clock: Clock;
  readonly watcher: Watcher;
  readonly unraised: UnraisedFindings;
  /** Of the node; while it has none, logs are refused. */
  readonly disk: { hasRoom(): Promise<boolean> };
  /** Reports logs for which rules of their logger's model took too many steps. */
  exceeded(log: ExceededLog): void;
  readonly repaired: CountObserver['repaired'];
  /** Reports a failure that is tried again. */
  failed(error: unknown): void;
}

/** The last of some that came together. */
export interface ExceededLog {
  readonly table: string;
  readonly id: number;
  /** How many there were. */
  readonly logs: number;
  /** By name. */
  readonly rules: readonly string[];
}

export class Intake {
  readonly #deps: IntakeDeps;
  readonly #stopping = new AbortController();

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves when the logs are durable and what was found in them is, too. Rejects where nothing of them is kept.
   */
  async take(destination: Destination, logs: readonly Log[] | LogBatch, { gone, ...kept }: Taking = {}): Promise<void> {
    const { parts } = 'parts' in logs ? logs : { parts: [logs] };
    if (parts.every((part) => ('count' in part ? part.count : part.length) === 0)) return kept.stored?.();
    const { watcher, disk } = this.#deps;
    if (!(await disk.hasRoom())) throw noSpaceLeft(destination.table.name);
    const examination = watcher.examine(destination);
    await examination.add(logs);
    const finding = examination.finding();
    gone?.throwIfAborted();
    const firstId = await this.#store(destination.table, logs, finding, kept);
    examination.number((index) => firstId + index);
    examination.kept();
    const repaired = countRepaired(parts);
    if (repaired > 0) this.#deps.repaired({ protocol: destination.protocol, table: destination.table.name }, repaired);
    // Runs have no logs that a rule of a model has seen.
    const [only = []] = parts;
    if (!('count' in only)) this.#reportExceeded(destination, only, firstId);
  }

  /** Resolves to the first `_id` when the logs are durable and what was found in them is, too. */
  async #store(
    table: TableSpec,
    logs: readonly Log[] | LogBatch,
    finding: Finding | undefined,
    { offsets = [], alongside, stored }: Taking,
  ): Promise<number> {
    const { engine, unraised } = this.#deps;
    try {
      // A source with offsets of its own reads again what was not on record, and finds it again.
      if (!finding || alongside) {
        const firstId = await engine.append(table, logs, offsets);
        stored?.();
        if (finding || alongside) await this.#record(finding, alongside);
        return firstId;
      }
      const kept = await unraised.keep(table, finding);
      const firstId = await kept.whileStored(engine.append(table, logs, [...offsets, kept.offset]));
      stored?.();
      await this.#record(finding, kept.remove);
      kept.raised();
      return firstId;
    } catch (cause) {
      const refusal = refusalOf(cause, table.name);
      throw refusal ? Object.assign(refusal, { cause }) : cause;
    }
  }

  /** Raises what an earlier process has found in stored logs and has not raised; before any logs are taken. */
  async raiseLeft(): Promise<void> {
    const { unraised, watcher, store, failed } = this.#deps;
    for (const left of await unraised.left()) {
      try {
        if (!(await left.isStored())) {
          await store.write((db) => left.remove(db));
          continue;
        }
        const finding = await watcher.restored(left.tableId, await left.contents());
        await this.#raiseOnce(finding, left);
      } catch (error) {
        // It stays on record, and the next start tries it again. Tables that are closed are reported by the engine.
        if (!(error instanceof ApiError)) failed(error);
      }
    }
  }

  /** Another node may be raising it, too. */
  async #raiseOnce(finding: Finding, left: { remove(db: Db): Promise<boolean> }): Promise<void> {
    const isRaised = await this.#deps.store.write(async (db) => {
      const isOwn = await left.remove(db);
      if (isOwn) await finding.raise(db);
      return isOwn;
    });
    if (isRaised) await finding.raised();
  }

  #reportExceeded({ table }: Destination, logs: readonly Log[], firstId: number): void {
    const last = logs.findLastIndex(({ exceeded }) => exceeded);
    if (last === -1) return;
    const found = logs.filter(({ exceeded }) => exceeded);
    const rules = new Set(found.flatMap(({ exceeded = [] }) => exceeded));
    this.#deps.exceeded({ table: table.name, id: firstId + last, rules: [...rules], logs: found.length });
  }

  /** Looks at logs that are in their table already: the service ended before what is found in them was on record. */
  async examine(destination: Destination, logs: readonly Log[], alongside: Alongside): Promise<void> {
    const examination = this.#deps.watcher.examine(destination);
    await examination.add(logs);
    await this.#record(examination.finding(), alongside);
    examination.number(() => undefined);
    examination.kept();
  }

  /**
   * The logs are kept by now, and there is no answer that says so and is an error: it is tried until it succeeds. Only what a
   * store refuses that takes everything else is given up, because it would hold up all logs behind it.
   */
  async #record(finding: Finding | undefined, alongside: Alongside | undefined): Promise<void> {
    const { clock, store, failed } = this.#deps;
    let failures = 0;
    const record = async (): Promise<'recorded' | 'given-up'> => {
      try {
        await store.write(async (db) => {
          await finding?.raise(db);
          await alongside?.(db);
        });
        return 'recorded';
      } catch (error) {
        failed(error);
        failures += 1;
        const isItsOwn = !isOutOfSpace(error) && !(error instanceof StoreUnreachable);
        if (failures >= MIN_TRIES && isItsOwn && (await this.#isWritten(alongside))) return 'given-up';
        throw error;
      }
    };
    const { signal } = this.#stopping;
    const outcome = await retry(record, { clock, delays: sameDelay(RETRY_MS), signal }).catch((cause) => {
      throw new Error('the service stopped before what was found in these logs was on record', { cause });
    });
    if (outcome === 'recorded') await finding?.raised();
  }

  async #isWritten(alongside: Alongside | undefined): Promise<boolean> {
    try {
      await this.#deps.store.write(async (db) => await alongside?.(db));
      return true;
    } catch {
      return false;
    }
  }

  /** Nothing is taken any more; what could not be put on record is given up. */
  close(): void {
    this.#stopping.abort();
  }
}

/** What the engine may say about a batch, in the interface's words; anything else is a defect. */
function refusalOf(cause: unknown, table: string): ApiError | undefined {
  if (cause instanceof NoSpace) return noSpaceLeft(table);
  return cause instanceof TableGone ? notFound('table', table) : undefined;
}
