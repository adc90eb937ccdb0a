// The fresh records of one journal, in a DuckDB table in memory: what has been acknowledged but not sealed yet.

import type { Layout } from '#engines/engine.ts';
import type { Columns, ColumnType } from './columns.ts';
import type { Duck } from './instance.ts';
import { quotedName, quotedText } from './quote.ts';

const ROW_COLUMNS: Columns = new Map([['_doc', 'VARCHAR']]);

export class HotTable {
  readonly name: string;
  readonly #duck: Duck;
  readonly #layout: Layout;
  readonly #types = new Map<string, ColumnType>();
  /** Statements of one table run one after another: columns must be there before the records that need them. */
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(duck: Duck, name: string, layout: Layout) {
    this.#duck = duck;
    this.#layout = layout;
    this.name = name;
  }

  static async create(duck: Duck, name: string, layout: Layout): Promise<HotTable> {
    const quoted = quotedName(name);
    const last = layout === 'row' ? '_doc json' : '_rest json';
    await duck.run(`create table ${quoted} (_id bigint, _time timestamp_ms, ${last})`);
    return new HotTable(duck, quoted, layout);
  }

  /** `text` is the text of a journal frame, `columns` what the table's columns were when it was written. */
  insert(text: string, columns: Columns): Promise<void> {
    // Taken now: the registry may have learnt more by the time the statement runs.
    const wanted = this.#layout === 'row' ? ROW_COLUMNS : new Map(columns);
    const inserted = this.#queue.then(() => this.#insert(text, wanted));
    this.#queue = inserted.catch(() => undefined);
    return inserted;
  }

  async drop(): Promise<void> {
    await this.#queue;
    await this.#duck.run(`drop table ${this.name}`);
  }

  async #insert(text: string, columns: Columns): Promise<void> {
    await this.#widen(columns);
    const fields = this.#layout === 'row' ? ['_doc'] : [...columns.keys(), '_rest'];
    const shape = Object.fromEntries(
      [...columns, ['_id', 'BIGINT'], ['_time', 'BIGINT'], ['_rest', 'JSON'], ['_doc', 'JSON']].filter(
        ([name]) => name === '_id' || name === '_time' || fields.includes(name ?? ''),
      ),
    );
    const names = fields.map(quotedName).join(', ');
    const values = fields.map((name) => `r.${quotedName(name)}`).join(', ');
    await this.#duck.run(
      `insert into ${this.name} (_id, _time, ${names})
       select r._id, epoch_ms(r._time), ${values}
       from (select json_transform(line, ${quotedText(JSON.stringify(shape))}) as r
             from (select unnest(string_split(rtrim($1, chr(10)), chr(10))) as line))`,
      [text],
    );
  }

  async #widen(columns: Columns): Promise<void> {
    if (this.#layout === 'row') return;
    for (const [name, type] of columns) {
      const known = this.#types.get(name);
      if (known === type) continue;
      const column = quotedName(name);
      const change = known === undefined ? `add column ${column} ${type}` : `alter column ${column} type ${type}`;
      await this.#duck.run(`alter table ${this.name} ${change}`);
      this.#types.set(name, type);
    }
  }
}
