// The fresh records of one journal, in a DuckDB table in memory: they are acknowledged and not sealed yet.

import type { Layout } from '#logs/log-store.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import type { ColumnType, StoredColumn, StoredColumns } from '#logs/stores/shared/columns.ts';
import type { LeafFileColumn, Leaves } from '#logs/stores/shared/leaves.ts';
import { Serial } from '#runtime/serial.ts';
import type { FrameFile } from './file-frames.ts';
import {
  bytesOf,
  columnsOf,
  type FreshBatch,
  type FreshFile,
  filesSource,
  freshFile,
  isFile,
  leavesOf,
} from './fresh-batch.ts';
import type { InsertBacklog, Waiting } from './insert-backlog.ts';
import { FURTHER } from './lines.ts';
import { overflowOf } from './records.ts';
import type { Scratch } from './segment-storage.ts';

/** So many columns are added one by one. */
const FEW = 8;

/** A SELECT over the records of a file of lines like those of a journal. */
export function linesSource(path: string, layout: Layout, columns: StoredColumns): string {
  const { first, further } = divided(layout, columns);
  const struct = further.map(([name, type]) => `${quotedName(name)} ${type}`).join(', ');
  const members = [...lineMembers(layout, first), ...(further.length > 0 ? [[FURTHER, `STRUCT(${struct})`]] : [])];
  const types = members.map(([name = '', type = '']) => `${quotedText(name)}: ${quotedText(type)}`);
  const fields = fieldsOf(layout, columns)
    .map(({ name, column }) => `${column} as ${quotedName(name)}`)
    .join(', ');
  return `select _id, epoch_ms(_time) as _time, ${fields}
    from read_json(${quotedText(path)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
}

type Typed = readonly (readonly [string, string])[];

/** Columns by where a line has them: the values of further ones are in an object of their own. */
function divided(layout: Layout, columns: StoredColumns): { readonly first: Typed; readonly further: Typed } {
  const typed = ([name, { type }]: [string, StoredColumn]) => [name, type] as const;
  const all = layout === 'row' ? [] : [...columns];
  return {
    first: all.filter(([, { path }]) => !path).map(typed),
    further: all.filter(([, { path }]) => path).map(typed),
  };
}

/** The members of a line, with their types, but for the object of further columns. */
const lineMembers = (layout: Layout, first: Typed): Typed => [
  ['_id', 'BIGINT'],
  ['_time', 'BIGINT'],
  ...first,
  [overflowOf(layout), 'JSON'],
];

/** Columns, and as SQL where a line has their values. */
function fieldsOf(layout: Layout, columns: StoredColumns): { readonly name: string; readonly column: string }[] {
  const { first, further } = divided(layout, columns);
  return [
    ...first.map(([name]) => ({ name, column: quotedName(name) })),
    ...further.map(([name]) => ({ name, column: `${FURTHER}.${quotedName(name)}` })),
    { name: overflowOf(layout), column: overflowOf(layout) },
  ];
}

interface HotTableDeps {
  readonly instance: Instance;
  readonly layout: Layout;
  readonly backlog: InsertBacklog;
  /** Of the table, as they are now. */
  leaves(): Leaves;
  /** A file for a while, in which the records of a batch are inserted. */
  scratch(name: string): Promise<Scratch>;
}

/** Records that a segment can be made of. */
export interface SealedRows {
  /** A SELECT. */
  readonly source: string;
  readonly columns: StoredColumns;
  /** Names of columns of leaves. */
  readonly leafNames: ReadonlySet<string>;
  /** Whether all of it is in files. */
  readonly isOfFiles: boolean;
}

/** Bytes of lines that are inserted together: many small batches cost one statement. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;
/** Files that are. */
const MAX_GROUP_FILES = 8;

export class HotTable {
  /** As SQL. */
  readonly name: string;
  readonly #plainName: string;
  readonly #instance: Instance;
  readonly #layout: Layout;
  readonly #backlog: InsertBacklog;
  readonly #columns = new Map<string, StoredColumn>();
  readonly #leafNames = new Set<string>();
  readonly #leaves: HotTableDeps['leaves'];
  /** Statements of one table run one after another: columns must be there before the records that need them. */
  readonly #inserts = new Serial();
  readonly #scratch: HotTableDeps['scratch'];
  readonly #waiting: FreshBatch[] = [];
  /** Files that a segment is made of; they go with the table. */
  #sealed: readonly FreshFile[] = [];
  #isFilled = false;
  #files = 0;
  #added = 0;
  #inserted = 0;
  #inserting: Promise<void> | undefined;
  #hasFailed = false;

  private constructor(name: string, { instance, layout, backlog, leaves, scratch }: HotTableDeps) {
    this.#plainName = name;
    this.name = quotedName(name);
    this.#instance = instance;
    this.#layout = layout;
    this.#backlog = backlog;
    this.#leaves = leaves;
    this.#scratch = scratch;
  }

  /** Whether too many added records wait for their insertion. */
  get isBehind(): boolean {
    return this.#backlog.isFull(this.#waitingSums);
  }

  get #waitingSums(): Waiting {
    const files = this.#waiting.filter(isFile);
    const fileBytes = totalBytes(files);
    return { lineBytes: totalBytes(this.#waiting) - fileBytes, fileBytes, files: files.length };
  }

  /** Whether all records are in files that were never inserted: a segment is made of them as they are. */
  get isOfFiles(): boolean {
    return !this.#isFilled && this.#waiting.length > 0 && this.#waiting.every(isFile);
  }

  /** Whether no added records wait. */
  get isInserted(): boolean {
    return this.#inserted === this.#added;
  }

  /** Whether the latest insertion of added records failed; they still wait. */
  get hasFailed(): boolean {
    return this.#hasFailed && this.#inserting === undefined;
  }

  static async create(name: string, deps: HotTableDeps): Promise<HotTable> {
    const quoted = quotedName(name);
    await deps.instance.run(`create table ${quoted} (_id bigint, _time timestamp, ${overflowOf(deps.layout)} json)`);
    return new HotTable(name, deps);
  }

  /** Inserts the lines of a journal frame; `columns` are those that its records use. Rejects where none is inserted. */
  insert(lines: Buffer, columns: StoredColumns): Promise<void> {
    return this.#inTurn([{ lines, columns }]);
  }

  /** Makes the file of a frame ready to be added. */
  async prepare(file: FrameFile, columns: StoredColumns): Promise<FreshFile> {
    this.#files += 1;
    const name = `${this.#plainName}-${this.#files}.parquet`;
    return await freshFile(file, columns, () => this.#scratch(name));
  }

  /**
   * Records are inserted in the background; `settled` says when. Those whose insertion fails are kept and tried again. Files
   * wait until they are asked for, if `isLazy`: a segment can be made of them.
   */
  add(batch: FreshBatch, { isLazy = false } = {}): void {
    this.#waiting.push(batch);
    this.#backlog.add(bytesOf(batch));
    this.#added += 1;
    if (!isLazy || this.#inserting) this.#start().catch(() => undefined);
  }

  /** All records, for a segment; none may be added after the call. Files that were never inserted are read as they are. */
  async sealed(): Promise<SealedRows> {
    if (this.isOfFiles) {
      const files = this.#waiting.filter(isFile);
      this.#sealed = files;
      const columns = columnsOf(files);
      const leaves = leavesOf(files, this.#leaves());
      const leafNames = new Set(leaves.map(({ name }) => name));
      return { source: filesSource(files, columns, leaves), columns, leafNames, isOfFiles: true };
    }
    await this.settled();
    const { name } = this;
    return { source: `select * from ${name}`, columns: this.#columns, leafNames: this.#leafNames, isOfFiles: false };
  }

  /** Resolves when all records that were added before the call are inserted. Rejects when a new attempt fails. */
  async settled(): Promise<void> {
    const last = this.#added;
    if (this.#inserted < last) await this.#inserting?.catch(() => undefined);
    // None wait after it is closed.
    while (this.#inserted < last && this.#waiting.length > 0) await this.#start();
  }

  async drop(): Promise<void> {
    await this.close();
    await this.#inserts.ended();
    await this.#instance.run(`drop table ${this.name}`);
  }

  /** Removes its files: their records are in a segment, or in the journal. */
  async close(): Promise<void> {
    const files = new Set([...this.#waiting.filter(isFile), ...this.#sealed]);
    this.#backlog.add(-totalBytes(this.#waiting.splice(0)));
    this.#sealed = [];
    await this.#inserting?.catch(() => undefined);
    for (const { file } of files) await file[Symbol.asyncDispose]();
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
    this.#hasFailed = true;
    await this.#inTurn(group);
    this.#hasFailed = false;
    this.#inserted += group.length;
    this.#backlog.add(-totalBytes(this.#waiting.splice(0, group.length)));
    for (const batch of group) {
      if (isFile(batch) && !this.#sealed.includes(batch)) await batch.file[Symbol.asyncDispose]();
    }
  }

  /** The oldest waiting batches, either lines or files. */
  #group(): readonly FreshBatch[] {
    const [first] = this.#waiting;
    let bytes = 0;
    const beyond = this.#waiting.findIndex((batch, at) => {
      if (first && isFile(batch) !== isFile(first)) return true;
      bytes += bytesOf(batch);
      return isFile(batch) ? at >= MAX_GROUP_FILES : at > 0 && bytes > MAX_GROUP_BYTES;
    });
    return this.#waiting.slice(0, beyond === -1 ? undefined : beyond);
  }

  #inTurn(group: readonly FreshBatch[]): Promise<void> {
    this.#isFilled = true;
    return this.#inserts.run(() => this.#insert(group));
  }

  async #insert(group: readonly FreshBatch[]): Promise<void> {
    const columns = columnsOf(group);
    await this.#widen(columns);
    const files = group.filter(isFile);
    if (files.length > 0) await this.#insertFiles(files);
    else
      await this.#insertLines(
        group.flatMap((batch) => (isFile(batch) ? [] : [batch.lines])),
        columns,
      );
  }

  async #insertFiles(files: readonly FreshFile[]): Promise<void> {
    const columns = new Map(
      columnsOf(files)
        .entries()
        .map(([name, column]) => [name, this.#columns.get(name) ?? column]),
    );
    const leaves = leavesOf(files, this.#leaves());
    await this.#widenLeaves(leaves);
    const names = [...columns.keys(), '_rest', ...leaves.map(({ name }) => name)];
    const fields = ['_id', '_time', ...names.map(quotedName)];
    await this.#instance.run(`insert into ${this.name} (${fields.join(', ')}) ${filesSource(files, columns, leaves)}`);
  }

  async #insertLines(parts: readonly Buffer[], columns: StoredColumns): Promise<void> {
    const { first, further } = divided(this.#layout, columns);
    const shape = {
      ...Object.fromEntries(lineMembers(this.#layout, first)),
      ...(further.length > 0 ? { [FURTHER]: Object.fromEntries(further) } : {}),
    };
    const fields = fieldsOf(this.#layout, columns);
    const [only] = parts;
    const lines = only && parts.length === 1 ? only : Buffer.concat(parts);
    const { DuckDBBlobValue } = await import('@duckdb/node-api');
    await this.#instance.run(
      `insert into ${this.name} (_id, _time, ${fields.map(({ name }) => quotedName(name)).join(', ')})
       select r._id, epoch_ms(r._time), ${fields.map(({ column }) => `r.${column}`).join(', ')}
       from (select json_transform(line, ${quotedText(JSON.stringify(shape))}) as r
             from (select unnest(string_split(decode($1), chr(10))) as line))`,
      // Without the end of the last line; to cut it off there would cost as much as everything else.
      [new DuckDBBlobValue(lines.subarray(0, -1))],
    );
  }

  async #widen(columns: StoredColumns): Promise<void> {
    const changed = [...columns].filter(([name, { type }]) => isWider(type, this.#columns.get(name)?.type));
    if (changed.length > FEW) await this.#rebuild(changed.map(([name, { type }]) => [name, type]));
    else for (const [name, { type }] of changed) await this.#change(name, type);
    for (const [name, column] of changed) this.#columns.set(name, column);
  }

  async #widenLeaves(leaves: readonly LeafFileColumn[]): Promise<void> {
    const added = leaves.filter(({ name }) => !this.#leafNames.has(name));
    if (added.length > FEW) await this.#rebuild(added.map(({ name, type }) => [name, type]));
    else for (const { name, type } of added) await this.#change(name, type);
    for (const { name } of added) this.#leafNames.add(name);
  }

  async #change(name: string, type: HotType): Promise<void> {
    const column = quotedName(name);
    const change = this.#columns.has(name) ? `alter column ${column} type ${type}` : `add column ${column} ${type}`;
    await this.#instance.run(`alter table ${this.name} ${change}`);
  }

  /** Many columns one by one take as long as the same number of copies. */
  async #rebuild(changed: readonly (readonly [string, HotType])[]): Promise<void> {
    const known = changed.filter(([name]) => this.#columns.has(name));
    const casts = known.map(([name, type]) => `${quotedName(name)}::${type} as ${quotedName(name)}`);
    const added = changed.filter(([name]) => !this.#columns.has(name));
    const nulls = added.map(([name, type]) => `null::${type} as ${quotedName(name)}`);
    const all = casts.length === 0 ? '*' : `* replace (${casts.join(', ')})`;
    await this.#instance.run(
      `create or replace table ${this.name} as select ${[all, ...nulls].join(', ')} from ${this.name}`,
    );
  }
}

type HotType = ColumnType | LeafFileColumn['type'];

/** A column never narrows: lines of earlier batches may be inserted later. */
const isWider = (type: ColumnType, known: ColumnType | undefined): boolean =>
  known === undefined || (known === 'BIGINT' && type === 'DOUBLE');

const totalBytes = (batches: readonly FreshBatch[]): number =>
  batches.reduce((total, batch) => total + bytesOf(batch), 0);
