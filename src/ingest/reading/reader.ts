// Reads the logs of a logger: lines of text by the parser of its model, and whatever came by the rules of the model. What a
// model says is made ready once and found again by its text, so that a change acts on the next log. A log that would hold the
// main thread is read by another one.

import { asParsed, JsonRecords } from '#ingest/decode/line.ts';
import { LONG_TEXT, type Reason } from '#ingest/decode/record.ts';
import { markRepaired, ordinaryFields } from '#ingest/decode/repair.ts';
import type { Log } from '#ingest/intake.ts';
import type { Parsed } from '#ingest/parsers/parser.ts';
import { ownTime } from '#ingest/parsers/time-configs.ts';
import { repairText } from '#kernel/text/storable-text.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type LogRecord, REPAIRED } from '#logs/log-store.ts';
import { RowRecords } from '#logs/row-record.ts';
import type { MapValue } from '#query/model/values.ts';
import { recordIn } from '#query/values/formats/strict-json.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import type { Store } from '#store/store.ts';
import {
  type CompiledModel,
  compiledModel,
  groupsIn,
  type ModelSource,
  modelOf,
  parsersOf,
  schemasOf,
} from './model.ts';
import { ModelGroups } from './model-groups.ts';
import type { Ruled, Unruled } from './normalize.ts';
import { ReadingThreads, type ThreadReading } from './threads/reading-threads.ts';
import { MainThreadLimit, WorkTooLong } from './work-limit.ts';

/** How many models are kept ready. */
const MAX_KEPT = 500;

/** For the main thread: a promise stands for a log that another thread reads. */
export interface LogReader {
  /** Whether records that came as JSON are stored as they came. */
  readonly keepsRecords: boolean;
  /** A line of text that arrived at a moment; `beside` is what else is known of it, which goes before what it says itself. */
  of(line: string, at: number, beside?: MapValue): LogReading;
  /** A record that came as JSON. `at` is when it arrived: a record of another time has brought that itself. */
  normalized(record: LogRecord, at: number): LogReading;
  /** A record whose field `line` is read; its other fields and its own time go before what the line says. */
  withLine(record: LogRecord, at: number): LogReading;
}

export type LogReading = Log | Reason | Promise<Log | Reason>;

/** What a reader is called with. */
export type ReadTask =
  | { readonly kind: 'of'; readonly line: string; readonly at: number; readonly beside: MapValue | undefined }
  | ({ readonly kind: 'normalized' | 'withLine'; readonly at: number } & Pick<
      LogRecord,
      'text' | 'time' | 'isRepaired'
    >);

interface ReadersDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly zone: string;
  /** Of one rule of a model for one log. */
  readonly ruleSteps: number;
}

export class Readers {
  readonly #parts: ReadersDeps;
  readonly #groups: ModelGroups;
  readonly #models = new BoundedMap<string, CompiledModel>({ max: MAX_KEPT, evicts: 'least-used' });
  readonly #threads = new ReadingThreads();

  constructor(parts: ReadersDeps) {
    this.#parts = parts;
    this.#groups = new ModelGroups(parts.store);
  }

  /** For the logs that come now; a long-lived collector asks again from time to time. */
  async readerFor(target: ModelSource & { readonly table_name: string }): Promise<LogReader> {
    const { store, clock, zone, ruleSteps } = this.#parts;
    const model = modelOf(target);
    const schemas = await schemasOf(store, model);
    const parsers = await parsersOf(store, model);
    const guids = groupsIn(model, parsers);
    await this.#groups.refresh(guids, clock.now().epochMilliseconds);
    const texts = parsers.values().map(({ code, factory_name, configs }) => [code, factory_name, configs]);
    const key = JSON.stringify([model, [...schemas], [...texts]]);
    const limit = new MainThreadLimit(ruleSteps);
    const context = { zone, clock, limit, parsers, groups: () => this.#groups.groups };
    const compiled = this.#models.get(key) ?? (await compiledModel(model, schemas, context));
    if (compiled.isWhole) this.#models.set(key, compiled);
    const table = target.table_name;
    const parts = { model, schemas, parsers: [...parsers.values()], zone, table, ruleSteps };
    const readInThread = (task: ReadTask) => {
      const { groups } = this.#groups;
      const existing = new Map(guids.flatMap((guid) => entryOf(groups, guid)));
      const now = clock.now().epochMilliseconds;
      return this.#threads.read({ key: `${table} ${key}`, parts, groups: existing, now, task } satisfies ThreadReading);
    };
    return new BoundedReader(compiled, readerOf(compiled, zone, table), readInThread);
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

function entryOf<K, V>(map: ReadonlyMap<K, V>, key: K): readonly (readonly [K, V])[] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}

export const readerOf = (model: CompiledModel, zone: string, table: string): ModelReader =>
  new ModelReader(model, zone, table);

/** The shape of a record that came as JSON stays with the main thread. */
const NO_SHAPE = { names: [], types: [] };

export function performTask(reader: ModelReader, task: ReadTask): Log | Reason {
  if (task.kind === 'of') return reader.of(task.line, task.at, task.beside);
  const { kind, at, ...record } = task;
  return reader[kind]({ ...record, shape: NO_SHAPE }, at);
}

/** Reads at once what takes little time, and leaves everything else to a thread. */
class BoundedReader implements LogReader {
  readonly #model: CompiledModel;
  readonly #reader: ModelReader;
  readonly #readInThread: (task: ReadTask) => Promise<Log | Reason>;

  constructor(model: CompiledModel, reader: ModelReader, readInThread: (task: ReadTask) => Promise<Log | Reason>) {
    this.#model = model;
    this.#reader = reader;
    this.#readInThread = readInThread;
  }

  get keepsRecords(): boolean {
    return this.#model.normalize === undefined;
  }

  of(line: string, at: number, beside?: MapValue): LogReading {
    const isLong = line.length > LONG_TEXT && !this.#model.isCopying;
    const here = isLong ? undefined : attempt(() => this.#reader.of(line, at, beside));
    return here ?? this.#readInThread({ kind: 'of', line, at, beside });
  }

  normalized(record: LogRecord, at: number): LogReading {
    if (this.keepsRecords) return record;
    const here = record.text.length > LONG_TEXT ? undefined : attempt(() => this.#reader.normalized(record, at));
    return here ?? this.#readInThread({ kind: 'normalized', at, ...sent(record) }).then((log) => asItCame(record, log));
  }

  withLine(record: LogRecord, at: number): LogReading {
    const here = record.text.length > LONG_TEXT ? undefined : attempt(() => this.#reader.withLine(record, at));
    return here ?? this.#readInThread({ kind: 'withLine', at, ...sent(record) });
  }
}

const sent = ({ text, time, isRepaired }: LogRecord) => ({ text, time, ...(isRepaired ? { isRepaired } : {}) });

/** Undefined if another thread may get further. */
function attempt(read: () => Log | Reason): Log | Reason | undefined {
  try {
    const found = read();
    return typeof found === 'object' && found.exceeded ? undefined : found;
  } catch (error) {
    if (error instanceof WorkTooLong) return undefined;
    throw error;
  }
}

/** A record that no rule lets pass, and one that its thread could not read, stays what it is. */
function asItCame(record: LogRecord, found: Log | Reason): Log {
  if (typeof found === 'string') return record;
  if (found.schema !== undefined) return found;
  return found.exceeded ? { ...record, exceeded: found.exceeded } : record;
}

/** Reads in the thread of its caller, within the limit of its model. */
export class ModelReader {
  readonly #model: CompiledModel;
  readonly #zone: string;
  readonly #table: string;
  readonly #written: JsonRecords;
  readonly #made = new RowRecords();

  constructor(model: CompiledModel, zone: string, table: string) {
    this.#model = model;
    this.#zone = zone;
    this.#table = table;
    this.#written = new JsonRecords({ at: 0, zone });
  }

  of(line: string, at: number, beside?: MapValue): Log | Reason {
    const text = repairText(line);
    return marked(this.#logOf(text, at, beside), text !== line);
  }

  #logOf(line: string, at: number, beside: MapValue | undefined): Log | Reason {
    const { read, normalize, limit } = this.#model;
    limit.begin();
    if (!read) return this.#recordIn(line, at, beside);
    const parsed = this.#timed(read(line, at), line, at);
    if (typeof parsed === 'string') return parsed;
    const values = beside ? new Map([...parsed.values, ...beside]) : parsed.values;
    const asItCame = () => this.#made.of(values, parsed.time);
    return marked(normalize ? ruled(normalize({ ...parsed, values }), asItCame) : asItCame(), parsed.isRepaired);
  }

  /** With the time that counts. */
  #timed(parsed: Parsed | undefined, line: string, at: number): (Unruled & { readonly isRepaired: boolean }) | Reason {
    if (!parsed) return 'parse-failed';
    const own = ownTime(parsed.fields, this.#zone);
    if (own === 'invalid-time') return own;
    const found = own ?? parsed.time;
    const isOfArrival = found === undefined;
    const { fields: values, isRepaired } = ordinaryFields(parsed.fields);
    return { values, isRepaired, line, time: found ?? at, isOfArrival, table: this.#table };
  }

  normalized(record: LogRecord, at: number): Log {
    const { normalize, limit } = this.#model;
    if (!normalize) return record;
    limit.begin();
    const values = recordIn(record.text);
    const line = values.get('line');
    return this.#ruled(record, { values, line: typeof line === 'string' ? line : undefined, at });
  }

  /** `parse-failed` for a record without a line of text. */
  withLine(record: LogRecord, at: number): Log | Reason {
    const { line, [REPAIRED]: mark, ...others } = Object.fromEntries(recordIn(record.text));
    if (typeof line !== 'string') return 'parse-failed';
    const log = marked(this.of(line, at, new Map(Object.entries(others))), mark === true);
    if (typeof log === 'string') return log;
    return record.time === at ? log : { ...log, time: record.time };
  }

  /** A line that is a record already. */
  #recordIn(line: string, at: number, beside: MapValue | undefined): Log | Reason {
    const found = asParsed(this.#written.of(line, at));
    if (typeof found === 'string') return found;
    if (!beside && !this.#model.normalize) return found;
    const values = new Map([...recordIn(found.text), ...(beside ?? [])]);
    values.delete(REPAIRED);
    const record = beside ? this.#made.of(values, found.time) : found;
    return marked(this.#ruled(record, { values, line, at }), found.isRepaired ?? false);
  }

  #ruled(record: LogRecord, { values, line, at }: { values: MapValue; line: string | undefined; at: number }) {
    const { time } = record;
    const log = { values, line, time, isOfArrival: time === at, table: this.#table };
    const { normalize } = this.#model;
    const made = normalize ? ruled(normalize(log), () => record) : record;
    return record.isRepaired ? markRepaired(made) : made;
  }
}

const marked = (log: Log | Reason, isRepaired: boolean): Log | Reason =>
  isRepaired && typeof log === 'object' ? markRepaired(log) : log;

/** The log as it came where no rule lets it pass. */
function ruled({ log, exceeded }: Ruled, asItCame: () => Log): Log {
  const made = log ?? asItCame();
  return exceeded.length === 0 ? made : { ...made, exceeded };
}
