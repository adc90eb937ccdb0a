// Rows of a result as formats need them: the fields that a row shows, their order and their values.

import type { Precision } from '#contract/times.ts';
import { scanObject } from '#kernel/json/json-members.ts';
import type { RowText } from '#logs/run.ts';
import type { ColumnType } from '#query/model/values.ts';
import { compareText } from '#query/values/order-text.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { cellsOf } from './cells.ts';
import { type ShownValue, Values } from './values.ts';

/** Facts about rows that are known before the rows are read. */
export interface RowsContext {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly hasOverflow: boolean;
  /** Keys of an overflow that count as absent: dropped or renamed by a command. */
  readonly hidden: readonly string[];
  /**
   * Set where the overflow is that of stored records: the columns with stored values. Where such a column has no value, the
   * overflow may hold the value as sent.
   */
  readonly asStored?: ReadonlySet<string>;
  /** The wanted fields in their order; absent for all. */
  readonly fields?: readonly string[];
  /** Time zone of written times. */
  readonly zone: string;
  /** Precision of written times; seconds where absent. */
  readonly times?: Precision;
  /** The number of rows of the whole result. Called after the last row was written. */
  total(): number;
}

export type Blocks = AsyncIterable<readonly RowText[]>;

/** A field of a row that is not null. */
export interface Field extends ShownValue {
  readonly name: string;
}

const ROWS_PER_CHUNK = 200;

/** Small chunks that yield to the event loop, so that long results do not delay other requests. */
export async function* chunked(blocks: Blocks): AsyncGenerator<readonly RowText[]> {
  for await (const rows of blocks) {
    for (let from = 0; from < rows.length; from += ROWS_PER_CHUNK) {
      await eventLoop.nextSlot();
      yield rows.slice(from, from + ROWS_PER_CHUNK);
    }
  }
}

/** Field names known before the rows: all of them unless an overflow is shown. */
export function knownNames({ columns, fields }: RowsContext): string[] {
  return [...new Set(fields ?? columns.map(({ name }) => name))];
}

export class RowReader {
  readonly #context: RowsContext;
  readonly #values: Values;
  /** Position in the order of output; undefined where the columns go first, as they are. */
  readonly #ranks: ReadonlyMap<string, number> | undefined;
  /** Names that hide a key of the overflow. */
  readonly #taken: ReadonlySet<string>;
  readonly #showsNulls: boolean;

  /** `showsNulls` also shows stored values that the language has no value for: null, and numbers out of range. */
  constructor(context: RowsContext, { showsNulls = false } = {}) {
    const { columns, fields, hidden, zone, times } = context;
    this.#context = context;
    this.#showsNulls = showsNulls && context.hasOverflow && context.asStored !== undefined;
    this.#values = new Values(zone, times);
    this.#ranks = fields && new Map(knownNames(context).map((name, index) => [name, index]));
    this.#taken = new Set([...columns.map(({ name }) => name), ...hidden]);
  }

  /** Fields in the order of output, without nulls unless `showsNulls` and the record was sent with null. */
  fieldsOf(row: RowText): Field[] {
    const { columns, hasOverflow } = this.#context;
    const sources = cellsOf(row);
    const sent = this.#showsNulls ? this.#sentOf(sources[columns.length]) : undefined;
    const fields: Field[] = [];
    for (const [index, { name, type }] of columns.entries()) {
      this.#add(fields, name, { type, source: sources[index] ?? 'null' }, sent?.get(name));
    }
    if (hasOverflow) {
      for (const { name, source } of this.#overflowOf(sources[columns.length])) {
        this.#add(fields, name, { type: 'any', source }, this.#showsNulls ? source : undefined);
      }
    }
    const ranks = this.#ranks;
    return ranks ? fields.sort((left, right) => (ranks.get(left.name) ?? 0) - (ranks.get(right.name) ?? 0)) : fields;
  }

  /** The names of the fields of the overflow. */
  overflowNamesOf(row: RowText): string[] {
    const source = cellsOf(row)[this.#context.columns.length];
    return this.#overflowOf(source)
      .filter((member) => member.source !== 'null')
      .map(({ name }) => name);
  }

  /** `sent` is shown where the value is null. */
  #add(fields: Field[], name: string, { type, source }: { type: ColumnType; source: string }, sent?: string): void {
    if (this.#ranks && !this.#ranks.has(name)) return;
    const value = this.#values.shown(source, type);
    if (value) fields.push({ name, type: value.type, json: value.json });
    else if (sent !== undefined) fields.push({ name, type: 'null', json: sent });
  }

  /** Values as sent that the overflow keeps for stored columns. */
  #sentOf(source = 'null'): ReadonlyMap<string, string> {
    if (source === 'null') return new Map();
    const members = scanObject(source).members.map(([key, value]) => [nameOf(key), value] as const);
    return new Map(members.filter(([name]) => this.#context.asStored?.has(name)));
  }

  /** Sorted by code point; the first of equal names wins. */
  #overflowOf(source = 'null'): { name: string; source: string }[] {
    if (source === 'null') return [];
    const members = scanObject(source).members.map(([key, value]) => ({ name: nameOf(key), source: value }));
    return members
      .filter(({ name }) => !this.#taken.has(name))
      .sort((left, right) => compareText(left.name, right.name))
      .filter(({ name }, index, sorted) => name !== sorted[index - 1]?.name);
  }
}

const nameOf = (key: string): string => (key.includes('\\') ? JSON.parse(key) : key.slice(1, -1));
