// Files of stored lookups: Parquet in the order of the key. A column `k` holds the key as a text that sorts and compares like
// it (3.4), `s` the characters of the row, `l0`, `l1`, … the values.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fsync, makeFolder } from '#files/durable.ts';
import { makeNamelessFile, type NamelessFile } from '#files/nameless.ts';
import type {
  LookupFile,
  LookupFiles,
  LookupLayout,
  LookupPage,
  LookupVersion,
  LookupWriter,
} from '#logs/lookup-files.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import type { ColumnType, MapValue } from '#query/model/values.ts';
import { LookupLines } from './lookup-lines.ts';
import { asJson, fileColumn, fromLine, isStoredType, selectOfFile, shownCell } from './lookup-sql.ts';

interface FolderDeps {
  readonly folder: string;
  /** For rows on their way. */
  readonly spillFolder: string;
  instance(): Promise<Instance>;
}

const ENDING = '.parquet';
const UNFINISHED = '.unfinished';

export class LookupFolder implements LookupFiles {
  readonly #deps: FolderDeps;
  readonly #holders = new Map<string, number>();
  /** Files that are removed with their last holder. */
  readonly #retired = new Set<string>();

  constructor(deps: FolderDeps) {
    this.#deps = deps;
  }

  async write(layout: LookupLayout): Promise<LookupWriter> {
    await makeFolder(this.#deps.folder);
    return new Writer(this.#deps, layout, await makeNamelessFile(this.#deps.spillFolder));
  }

  hold(file: string): Disposable | undefined {
    if (this.#retired.has(file)) return undefined;
    this.#holders.set(file, (this.#holders.get(file) ?? 0) + 1);
    return { [Symbol.dispose]: () => this.#release(file) };
  }

  async retire(file: string): Promise<void> {
    this.#retired.add(file);
    if (!this.#holders.has(file)) await this.#remove(file);
  }

  async sweep(named: ReadonlySet<string>): Promise<void> {
    await makeFolder(this.#deps.folder);
    for (const name of await readdir(this.#deps.folder)) {
      if (!named.has(name)) await rm(join(this.#deps.folder, name), { force: true });
    }
  }

  async has(file: string): Promise<boolean> {
    return await access(this.path(file)).then(
      () => true,
      () => false,
    );
  }

  pieces(file: string, most: number): AsyncIterable<Uint8Array> {
    return createReadStream(this.path(file), { highWaterMark: most });
  }

  async adopt(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    await makeFolder(this.#deps.folder);
    const unfinished = this.path(`${randomUUID()}${UNFINISHED}`);
    try {
      await using handle = await open(unfinished, 'wx', 0o600);
      for await (const piece of pieces) await handle.appendFile(piece);
      await handle.sync();
      await rename(unfinished, this.path(file));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async page(rows: LookupFile, { columns, offset, limit, keyword }: LookupPage) {
    const instance = await this.#deps.instance();
    const from = `read_parquet(${quotedText(this.path(rows.file))})`;
    const values = rows.columns.flatMap(({ name, type }, index) => (name === null ? [] : [shownCell(index, type)]));
    const found = keyword === '' ? '' : ` where contains(lower(concat_ws(chr(10), ${values.join(', ')})), ?)`;
    const bound = keyword === '' ? [] : [keyword];
    const [counted] = await instance.run(`select count(*) as total from ${from}${found}`, bound);
    const cells = columns.map(({ name }) => {
      const index = rows.columns.findIndex((column) => column.name === name);
      const column = rows.columns[index];
      return column ? fileColumn(index, column.type) : 'null';
    });
    const select = `select json_array(${cells.join(', ')})::varchar as row_text from ${from}${found} order by k`;
    const texts = limit === 0 ? [] : await instance.run(`${select} limit ${limit} offset ${offset}`, bound);
    return { total: Number(counted?.total ?? 0), texts: texts.map(({ row_text }) => String(row_text)) };
  }

  path(file: string): string {
    return join(this.#deps.folder, file);
  }

  #release(file: string): void {
    const left = (this.#holders.get(file) ?? 1) - 1;
    if (left > 0) {
      this.#holders.set(file, left);
      return;
    }
    this.#holders.delete(file);
    // A file that stays behind is removed by the next start.
    if (this.#retired.has(file)) void this.#remove(file).catch(() => undefined);
  }

  async #remove(file: string): Promise<void> {
    await rm(this.path(file), { force: true });
  }
}

/** A line has at least this much room, as DuckDB has it by default. */
const MIN_LINE_BYTES = 2 ** 24;

class Writer implements LookupWriter {
  readonly #deps: FolderDeps;
  readonly #layout: LookupLayout;
  readonly #lines: NamelessFile;
  readonly #written: LookupLines;

  constructor(deps: FolderDeps, layout: LookupLayout, lines: NamelessFile) {
    this.#deps = deps;
    this.#layout = layout;
    this.#lines = lines;
    this.#written = new LookupLines(layout);
  }

  get rows(): number {
    return this.#written.rows;
  }

  get size(): number {
    return this.#written.size;
  }

  async add(rows: readonly MapValue[]): Promise<void> {
    if (rows.length > 0) await this.#lines.handle.appendFile(this.#written.textOf(rows));
  }

  async findRepeatedKey(): Promise<number | undefined> {
    if (this.rows === 0) return undefined;
    const instance = await this.#deps.instance();
    const repeated = `select n from (${this.#read}) qualify row_number() over (partition by k order by n) > 1`;
    const [first] = await instance.run(`select min(n) as n from (${repeated})`);
    return typeof first?.n === 'bigint' ? Number(first.n) : undefined;
  }

  async finish(before?: LookupFile): Promise<LookupVersion> {
    const instance = await this.#deps.instance();
    const columns = this.#layout.columns.map((name, index) => {
      const old = before?.columns.find((column) => column.name === name)?.type ?? 'null';
      return { name, type: storedType(this.#written.types[index] ?? 'null', old) };
    });
    const file = `${randomUUID()}${ENDING}`;
    const unfinished = join(this.#deps.folder, `${file}${UNFINISHED}`);
    try {
      const rows = `select * from (${this.#allRows(columns, before)}) order by k`;
      await instance.run(`copy (${rows}) to ${quotedText(unfinished)} (format parquet, use_tmp_file false)`);
      const [counts] = await instance.run(
        `select count(*) as rows, coalesce(sum(s), 0)::bigint as size from read_parquet(${quotedText(unfinished)})`,
      );
      await fsync(unfinished);
      await rename(unfinished, join(this.#deps.folder, file));
      await fsync(this.#deps.folder);
      return { file, columns, rows: Number(counts?.rows), size: Number(counts?.size) };
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lines[Symbol.asyncDispose]();
  }

  get #read(): string {
    const most = Math.max(MIN_LINE_BYTES, this.#written.longestBytes);
    const lines = `read_json_objects(${quotedText(this.#lines.path)}, format = 'newline_delimited', maximum_object_size = ${most})`;
    return `select (json->>'$[0]')::bigint as n, json->>'$[1]' as k, (json->>'$[2]')::bigint as s, json from ${lines}`;
  }

  /** New rows first; without any there is no file of lines to read. */
  #allRows(columns: readonly { name: string; type: ColumnType }[], before: LookupFile | undefined): string {
    const made = columns.map(({ type }, index) => `${fromLine(index, type)} as l${index}`);
    const fresh = this.rows === 0 ? emptyOf(columns) : `select k, s, ${made.join(', ')} from (${this.#read})`;
    if (!before) return fresh;
    const old = selectOfFile(join(this.#deps.folder, before.file), before.columns, columns);
    const known = this.rows === 0 ? '' : ` where k not in (select k from (${this.#read}))`;
    return `${fresh} union all select * from (${old})${known}`;
  }
}

const emptyOf = (columns: readonly { type: ColumnType }[]): string => {
  const cells = columns.map(({ type }, index) => `${asJson(type) ? 'null::json' : fromLine(index, type)} as l${index}`);
  return `select k, s, ${cells.join(', ')} from (select ''::varchar as k, 0::bigint as s, null::json as json) where false`;
};

/** One type where all values have it. */
function storedType(type: ColumnType, old: ColumnType): ColumnType {
  const one = type === 'null' ? old : old === 'null' || old === type ? type : 'any';
  return isStoredType(one) ? one : 'any';
}
