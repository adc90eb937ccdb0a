// Rows of a result as the formats need them: which fields a row shows, in which order, and what their values are.

import type { Precision } from '#contract/times.ts';
import type { RowText } from '#engines/plan-run.ts';
import { scanObject } from '#kernel/json-members.ts';
import { turn } from '#kernel/turns.ts';
import type { ColumnType } from '#query/model/values.ts';
import { compareText } from '#query/values/order-text.ts';
import { cellsOf } from './cells.ts';
import { type ShownValue, Values } from './values.ts';

/** What there is to know of rows before they are read. */
export interface RowsContext {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly hasOverflow: boolean;
  /** Keys of an overflow that count as absent: dropped or renamed on the way. */
  readonly hidden: readonly string[];
  /**
   * Where the overflow is that of stored records: the columns that hold what was stored, too. Where one has no value, the
   * overflow may say what was sent instead.
   */
  readonly asStored?: ReadonlySet<string>;
  /** The wanted fields in their order; absent for all. */
  readonly fields?: readonly string[];
  /** In which times are written. */
  readonly zone: string;
  /** How exactly; seconds where it is absent. */
  readonly times?: Precision;
  /** How many rows there are, whatever part of them is written. Asked when all have been. */
  total(): number;
}

export type Blocks = AsyncIterable<readonly RowText[]>;

/** A field of a row that is not null. */
export interface Field extends ShownValue {
  readonly name: string;
}

const ROWS_PER_CHUNK = 200;

/** Few rows at a time, each chunk in a turn of its own, so that long results do not keep others waiting. */
export async function* chunked(blocks: Blocks): AsyncGenerator<readonly RowText[]> {
  for await (const rows of blocks) {
    for (let from = 0; from < rows.length; from += ROWS_PER_CHUNK) {
      await turn();
      yield rows.slice(from, from + ROWS_PER_CHUNK);
    }
  }
}

/** The names of the fields that are known before the rows are: all of them unless an overflow is to be shown. */
export function knownNames({ columns, fields }: RowsContext): string[] {
  return [...new Set(fields ?? columns.map(({ name }) => name))];
}

export class RowReader {
  readonly #context: RowsContext;
  readonly #values: Values;
  /** Position in the order of output; undefined where the columns go first, as they are. */
  readonly #ranks: ReadonlyMap<string, number> | undefined;
  /** Names under which an overflow shows nothing. */
  readonly #taken: ReadonlySet<string>;
  readonly #showsNulls: boolean;

  /** Shows what a record says of itself also where that is no value of the language: null, numbers beyond all bounds. */
  constructor(context: RowsContext, { showsNulls = false } = {}) {
    const { columns, fields, hidden, zone, times } = context;
    this.#context = context;
    this.#showsNulls = showsNulls && context.hasOverflow && context.asStored !== undefined;
    this.#values = new Values(zone, times);
    this.#ranks = fields && new Map(knownNames(context).map((name, index) => [name, index]));
    this.#taken = new Set([...columns.map(({ name }) => name), ...hidden]);
  }

  /** In the order of output; fields that are null are not among them, unless they were sent so and that is to be shown. */
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

  /** The names of the fields that a row has beyond the columns. */
  overflowNamesOf(row: RowText): string[] {
    const source = cellsOf(row)[this.#context.columns.length];
    return this.#overflowOf(source)
      .filter((member) => member.source !== 'null')
      .map(({ name }) => name);
  }

  /** `sent` stands for a value that there is none of. */
  #add(fields: Field[], name: string, { type, source }: { type: ColumnType; source: string }, sent?: string): void {
    if (this.#ranks && !this.#ranks.has(name)) return;
    const value = this.#values.shown(source, type);
    if (value) fields.push({ name, type: value.type, json: value.json });
    else if (sent !== undefined) fields.push({ name, type: 'null', json: sent });
  }

  /** What a record has in its overflow beside the values of its columns. */
  #sentOf(source = 'null'): ReadonlyMap<string, string> {
    if (source === 'null') return new Map();
    const members = scanObject(source).members.map(([key, value]) => [nameOf(key), value] as const);
    return new Map(members.filter(([name]) => this.#context.asStored?.has(name)));
  }

  /** By code point; of equal names the first. */
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
