// The fresh records of one journal, in a DuckDB table in memory: they are acknowledged and not sealed yet.

import type { Instance } from '#engines/duckdb/instance/instance.ts';
import { quotedName, quotedText } from '#engines/duckdb/instance/quote.ts';
import type { Layout } from '#engines/engine.ts';
import type { Columns, ColumnType } from './columns.ts';
import { overflowOf } from './records.ts';

/** So many columns are added one by one. */
const FEW = 8;

/** A SELECT over the records of a file of lines like those of a journal. */
export function linesSource(path: string, layout: Layout, columns: Columns): string {
  const types = [...lineColumns(layout, columns)].map(([name, type]) => `${quotedText(name)}: ${quotedText(type)}`);
  const fields = fieldsOf(layout, columns).map(quotedName).join(', ');
  return `select _id, epoch_ms(_time) as _time, ${fields}
    from read_json(${quotedText(path)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
}

/** The fields of a line, with their types. */
const lineColumns = (layout: Layout, columns: Columns): Map<string, string> =>
  new Map([['_id', 'BIGINT'], ['_time', 'BIGINT'], ...(layout === 'row' ? [] : columns), [overflowOf(layout), 'JSON']]);

const fieldsOf = (layout: Layout, columns: Columns): string[] => [
  ...(layout === 'row' ? [] : columns.keys()),
  overflowOf(layout),
];

export class HotTable {
  readonly name: string;
  readonly #instance: Instance;
  readonly #layout: Layout;
  readonly #types = new Map<string, ColumnType>();
  /** Statements of one table run one after another: columns must be there before the records that need them. */
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(instance: Instance, name: string, layout: Layout) {
    this.#instance = instance;
    this.#layout = layout;
    this.name = name;
  }

  /** Those that its records use. */
  get columns(): Columns {
    return this.#types;
  }

  static async create(instance: Instance, name: string, layout: Layout): Promise<HotTable> {
    const quoted = quotedName(name);
    await instance.run(`create table ${quoted} (_id bigint, _time timestamp, ${overflowOf(layout)} json)`);
    return new HotTable(instance, quoted, layout);
  }

  /** `text` is the text of a journal frame, `columns` are those that its records use. */
  insert(text: string, columns: Columns): Promise<void> {
    const inserted = this.#queue.then(() => this.#insert(text, columns));
    this.#queue = inserted.catch(() => undefined);
    return inserted;
  }

  async drop(): Promise<void> {
    await this.#queue;
    await this.#instance.run(`drop table ${this.name}`);
  }

  async #insert(text: string, columns: Columns): Promise<void> {
    await this.#widen(columns);
    const shape = Object.fromEntries(lineColumns(this.#layout, columns));
    const fields = fieldsOf(this.#layout, columns).map(quotedName);
    await this.#instance.run(
      `insert into ${this.name} (_id, _time, ${fields.join(', ')})
       select r._id, epoch_ms(r._time), ${fields.map((field) => `r.${field}`).join(', ')}
       from (select json_transform(line, ${quotedText(JSON.stringify(shape))}) as r
             from (select unnest(string_split($1, chr(10))) as line))`,
      // Without the end of the last line; to cut it off there would cost as much as everything else.
      [text.slice(0, -1)],
    );
  }

  async #widen(columns: Columns): Promise<void> {
    const changed = [...columns].filter(([name, type]) => this.#types.get(name) !== type);
    if (changed.length > FEW) await this.#rebuild(changed);
    else for (const [name, type] of changed) await this.#change(name, type);
    for (const [name, type] of changed) this.#types.set(name, type);
  }

  async #change(name: string, type: ColumnType): Promise<void> {
    const column = quotedName(name);
    const change = this.#types.has(name) ? `alter column ${column} type ${type}` : `add column ${column} ${type}`;
    await this.#instance.run(`alter table ${this.name} ${change}`);
  }

  /** Many columns one by one take as long as the same number of copies. */
  async #rebuild(changed: readonly (readonly [string, ColumnType])[]): Promise<void> {
    const known = changed.filter(([name]) => this.#types.has(name));
    const casts = known.map(([name, type]) => `${quotedName(name)}::${type} as ${quotedName(name)}`);
    const added = changed.filter(([name]) => !this.#types.has(name));
    const nulls = added.map(([name, type]) => `null::${type} as ${quotedName(name)}`);
    const all = casts.length === 0 ? '*' : `* replace (${casts.join(', ')})`;
    await this.#instance.run(
      `create or replace table ${this.name} as select ${[all, ...nulls].join(', ')} from ${this.name}`,
    );
  }
}
