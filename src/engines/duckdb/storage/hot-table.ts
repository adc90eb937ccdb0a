// The fresh records of one journal, in a DuckDB table in memory: they are acknowledged and not sealed yet.

import type { Instance } from '#engines/duckdb/instance/instance.ts';
import { quotedName, quotedText } from '#engines/duckdb/instance/quote.ts';
import type { Layout } from '#engines/engine.ts';
import type { Columns, ColumnType } from './columns.ts';
import type { InsertBacklog } from './insert-backlog.ts';
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

interface HotTableDeps {
  readonly instance: Instance;
  readonly layout: Layout;
  readonly backlog: InsertBacklog;
}

/** Lines of a journal frame that wait for their insertion. */
interface WaitingLines {
  readonly lines: Buffer;
  /** Those that the records use. */
  readonly columns: Columns;
}

/** Bytes of lines that are inserted together: many small batches cost one statement. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

export class HotTable {
  readonly name: string;
  readonly #instance: Instance;
  readonly #layout: Layout;
  readonly #backlog: InsertBacklog;
  readonly #types = new Map<string, ColumnType>();
  /** Statements of one table run one after another: columns must be there before the records that need them. */
  #queue: Promise<unknown> = Promise.resolve();
  readonly #waiting: WaitingLines[] = [];
  #waitingBytes = 0;
  #added = 0;
  #inserted = 0;
  #inserting: Promise<void> | undefined;
  #hasFailed = false;

  private constructor(name: string, { instance, layout, backlog }: HotTableDeps) {
    this.name = name;
    this.#instance = instance;
    this.#layout = layout;
    this.#backlog = backlog;
  }

  /** Those that its records use. */
  get columns(): Columns {
    return this.#types;
  }

  /** Whether too many added lines wait for their insertion. */
  get isBehind(): boolean {
    return this.#backlog.isFull(this.#waitingBytes);
  }

  /** Whether no added lines wait. */
  get isInserted(): boolean {
    return this.#inserted === this.#added;
  }

  /** Whether the latest insertion of added lines failed; they still wait. */
  get hasFailed(): boolean {
    return this.#hasFailed && this.#inserting === undefined;
  }

  static async create(name: string, deps: HotTableDeps): Promise<HotTable> {
    const quoted = quotedName(name);
    await deps.instance.run(`create table ${quoted} (_id bigint, _time timestamp, ${overflowOf(deps.layout)} json)`);
    return new HotTable(quoted, deps);
  }

  /** Inserts the lines of a journal frame; `columns` are those that its records use. Rejects where none is inserted. */
  insert(lines: Buffer, columns: Columns): Promise<void> {
    const inserted = this.#queue.then(() => this.#insert([lines], columns));
    this.#queue = inserted.catch(() => undefined);
    return inserted;
  }

  /** The same in the background; `settled` says when. Lines whose insertion fails are kept and tried again. */
  add(lines: Buffer, columns: Columns): void {
    this.#waiting.push({ lines, columns });
    this.#count(lines.length);
    this.#added += 1;
    this.#start().catch(() => undefined);
  }

  /** Resolves when all lines that were added before the call are inserted. Rejects when a new attempt fails. */
  async settled(): Promise<void> {
    const last = this.#added;
    if (this.#inserted < last) await this.#inserting?.catch(() => undefined);
    while (this.#inserted < last) await this.#start();
  }

  async drop(): Promise<void> {
    await this.#inserting?.catch(() => undefined);
    await this.#queue;
    this.#count(-this.#waitingBytes);
    await this.#instance.run(`drop table ${this.name}`);
  }

  /** Inserts a group, and then the next in the background, so that each waits for no more than its own. */
  #start(): Promise<void> {
    this.#inserting ??= this.#insertGroup().finally(() => {
      this.#inserting = undefined;
      if (this.#waiting.length > 0 && !this.#hasFailed) this.#start().catch(() => undefined);
    });
    return this.#inserting;
  }

  async #insertGroup(): Promise<void> {
    const group = this.#group();
    const lines = group.map((one) => one.lines);
    // Columns only widen, and the latest of a name is the widest.
    const columns = new Map(group.flatMap((one) => [...one.columns]));
    const inserted = this.#queue.then(() => this.#insert(lines, columns));
    this.#queue = inserted.catch(() => undefined);
    this.#hasFailed = true;
    await inserted;
    this.#hasFailed = false;
    this.#waiting.splice(0, group.length);
    this.#inserted += group.length;
    this.#count(-lines.reduce((total, { length }) => total + length, 0));
  }

  #count(bytes: number): void {
    this.#waitingBytes += bytes;
    this.#backlog.add(bytes);
  }

  /** The oldest waiting lines. */
  #group(): readonly WaitingLines[] {
    let bytes = 0;
    const beyond = this.#waiting.findIndex(({ lines }, at) => {
      bytes += lines.length;
      return at > 0 && bytes > MAX_GROUP_BYTES;
    });
    return this.#waiting.slice(0, beyond === -1 ? undefined : beyond);
  }

  async #insert(parts: readonly Buffer[], columns: Columns): Promise<void> {
    await this.#widen(columns);
    const shape = Object.fromEntries(lineColumns(this.#layout, columns));
    const fields = fieldsOf(this.#layout, columns).map(quotedName);
    const [only] = parts;
    const lines = only && parts.length === 1 ? only : Buffer.concat(parts);
    const { DuckDBBlobValue } = await import('@duckdb/node-api');
    await this.#instance.run(
      `insert into ${this.name} (_id, _time, ${fields.join(', ')})
       select r._id, epoch_ms(r._time), ${fields.map((field) => `r.${field}`).join(', ')}
       from (select json_transform(line, ${quotedText(JSON.stringify(shape))}) as r
             from (select unnest(string_split(decode($1), chr(10))) as line))`,
      // Without the end of the last line; to cut it off there would cost as much as everything else.
      [new DuckDBBlobValue(lines.subarray(0, -1))],
    );
  }

  async #widen(columns: Columns): Promise<void> {
    const changed = [...columns].filter(([name, type]) => isWider(type, this.#types.get(name)));
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

/** A column never narrows: lines of earlier batches may be inserted later. */
const isWider = (type: ColumnType, known: ColumnType | undefined): boolean =>
  known === undefined || (known === 'BIGINT' && type === 'DOUBLE');
