// Reads the logs of a logger: lines of text by the parser of its model, and whatever came by the rules of the model. What a
// model says is made ready once and found again by its text, so that a change acts on the next log.

import { type LogRecord, REPAIRED } from '#engines/engine.ts';
import { RowRecords } from '#engines/row-record.ts';
import type { Clock } from '#kernel/clock.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { repairText } from '#kernel/storable-text.ts';
import type { MapValue } from '#query/model/values.ts';
import { recordIn } from '#query/values/strict-json.ts';
import type { Store } from '#store/store.ts';
import type { Log } from './intake.ts';
import { asParsed, JsonRecords } from './line.ts';
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
import type { Parsed } from './parsers/parser.ts';
import { ownTime } from './parsers/time-configs.ts';
import type { Reason } from './record.ts';
import { markRepaired, ordinaryFields } from './repair.ts';

/** How many models are kept ready. */
const MAX_KEPT = 500;

export interface LogReader {
  /** Whether records that came as JSON are stored as they came. */
  readonly keepsRecords: boolean;
  /** A line of text that arrived at a moment; `beside` is what else is known of it, which goes before what it says itself. */
  of(line: string, at: number, beside?: MapValue): Log | Reason;
  /** The same of a long line, with nothing beside it. */
  slices(line: string, at: number): SlicedWork<Log | Reason>;
  /** A record that came as JSON. `at` is when it arrived: a record of another time has brought that itself. */
  normalized(record: LogRecord, at?: number): Log;
}

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
  readonly #models = new Map<string, CompiledModel>();

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
    await this.#groups.refresh(groupsIn(model, parsers), clock.now().epochMilliseconds);
    const texts = parsers.values().map(({ code, factory_name, configs }) => [code, factory_name, configs]);
    const key = JSON.stringify([model, [...schemas], [...texts]]);
    const context = { zone, clock, ruleSteps, parsers, groups: () => this.#groups.groups };
    const compiled = this.#models.get(key) ?? (await compiledModel(model, schemas, context));
    // The one that was asked for last is the last to go.
    this.#models.delete(key);
    if (compiled.isWhole) this.#models.set(key, compiled);
    for (const oldest of this.#models.keys()) {
      if (this.#models.size <= MAX_KEPT) break;
      this.#models.delete(oldest);
    }
    return new ModelReader(compiled, zone, target.table_name);
  }
}

/** For lines that belong to no table. */
export const readerOf = (model: CompiledModel, zone: string): LogReader => new ModelReader(model, zone, '');

class ModelReader implements LogReader {
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

  get keepsRecords(): boolean {
    return this.#model.normalize === undefined;
  }

  of(line: string, at: number, beside?: MapValue): Log | Reason {
    const text = repairText(line);
    return marked(this.#logOf(text, at, beside), text !== line);
  }

  #logOf(line: string, at: number, beside: MapValue | undefined): Log | Reason {
    const { read, normalize } = this.#model;
    if (!read) return this.#recordIn(line, at, beside);
    const parsed = this.#timed(read(line, at), line, at);
    if (typeof parsed === 'string') return parsed;
    const values = beside ? new Map([...parsed.values, ...beside]) : parsed.values;
    const asItCame = () => this.#made.of(values, parsed.time);
    return marked(normalize ? ruled(normalize({ ...parsed, values }), asItCame) : asItCame(), parsed.isRepaired);
  }

  *slices(line: string, at: number): SlicedWork<Log | Reason> {
    const text = repairText(line);
    return marked(yield* this.#logSlices(text, at), text !== line);
  }

  *#logSlices(line: string, at: number): SlicedWork<Log | Reason> {
    const { read, normalize } = this.#model;
    if (!read) {
      const found = asParsed(yield* this.#written.slices(line, at));
      return typeof found === 'string' || !normalize
        ? found
        : this.#ruled(found, { values: recordIn(found.text), line, at });
    }
    const parsed = this.#timed(read.slices ? yield* read.slices(line, at) : read(line, at), line, at);
    yield;
    if (typeof parsed === 'string') return parsed;
    const { values, time, isRepaired } = parsed;
    const log = normalize
      ? ruled(normalize(parsed), () => this.#made.of(values, time))
      : yield* this.#made.slices(values, time);
    return marked(log, isRepaired);
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

  normalized(record: LogRecord, at?: number): Log {
    const { normalize } = this.#model;
    if (!normalize) return record;
    const values = recordIn(record.text);
    const line = values.get('line');
    return this.#ruled(record, { values, line: typeof line === 'string' ? line : undefined, at });
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

  #ruled(
    record: LogRecord,
    { values, line, at }: { values: MapValue; line: string | undefined; at: number | undefined },
  ) {
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
