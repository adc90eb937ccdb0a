// The files of one file sink: a single file, or with `partition=t` a file for each path of its rows. Rows go to temporary
// files; at the end all files are prepared first and renamed only then.

import { constants } from 'node:fs';
import { appendFile, chmod, copyFile, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { tooManyFiles } from '#contract/errors.ts';
import { fsync } from '#files/durable.ts';
import { NoSpace } from '#logs/log-store.ts';
import { freeBytesForQueries } from '#queries/limits/free-space.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Present } from '#query/model/times.ts';
import type { Value } from '#query/model/values.ts';
import type { FlushingSink } from '#query/plan-nodes/effect.ts';
import type { Output } from '#query/plan-nodes/output.ts';
import { pathAt } from '#query/values/export-paths.ts';
import type { ExportFolder, ExportTarget } from './export-folder.ts';
import { type RowLines, rowLines } from './row-lines.ts';

/** More files point to an error in the pattern of the path. */
const MAX_FILES = 10_000;
const COPY_BUFFER_BYTES = 1024 * 1024;

const gzipAsync = promisify(gzip);

interface ExportedFile {
  readonly path: string;
  /**
   * The temporary file with the rows, after the heading unless rows are appended to an existing file; of a published file
   * the file itself.
   */
  readonly body: string;
  readonly isPublished?: true;
}

/** A complete file that still lacks its final name. */
interface PreparedFile {
  readonly part: ExportedFile;
  readonly target: string;
  readonly replaces: boolean;
}

export class ExportSink implements FlushingSink {
  readonly #planNode: Output;
  readonly #present: Present;
  readonly #folder: ExportFolder;
  readonly #lines: RowLines;
  readonly #files = new Map<string, ExportedFile>();
  readonly #temporary = new Set<string>();
  readonly #prepared: PreparedFile[] = [];
  readonly #reserved = new DisposableStack();

  private constructor(node: Output, present: Present, folder: ExportFolder) {
    this.#planNode = node;
    this.#present = present;
    this.#folder = folder;
    this.#lines = rowLines(node, present.zone);
  }

  static async open(node: Output, present: Present, folder: ExportFolder): Promise<ExportSink> {
    const sink = new ExportSink(node, present, folder);
    const isOne = node.path.every((part) => typeof part === 'string' || part.moment === 'now');
    // A single file exists even without rows.
    if (isOne) await sink.#fileAt(sink.#pathOf(present.now));
    return sink;
  }

  async add(rows: readonly ReadonlyMap<string, Value>[]): Promise<void> {
    const byPath = Map.groupBy(rows, (row) => this.#pathOf(row.get('_time') ?? null));
    for (const [path, own] of byPath) {
      const { body, isPublished } = await this.#fileAt(path);
      const append = () => this.#append(body, own.map((row) => this.#lines.line(row)).join(''));
      await (isPublished ? this.#folder.exclusively(body, append) : append());
    }
  }

  async prepare(): Promise<void> {
    for (const part of this.#files.values()) this.#prepared.push(await this.#prepareFile(part));
  }

  async commit(): Promise<void> {
    for (const one of this.#prepared) await this.#folder.exclusively(one.target, () => this.#publish(one));
    for (const folder of new Set(this.#prepared.map(({ target }) => dirname(target)))) await fsync(folder);
    await this.discard();
  }

  /** Files get their names with the first flush; later rows are appended to them. */
  async flush(): Promise<void> {
    for (const part of this.#files.values()) {
      if (!part.isPublished) await this.#publishFirst(part);
      await fsync((this.#files.get(part.path) ?? part).body);
    }
  }

  async #publishFirst(part: ExportedFile): Promise<void> {
    const prepared = await this.#prepareFile(part);
    await this.#folder.exclusively(prepared.target, () => this.#publish(prepared));
    await fsync(dirname(prepared.target));
    this.#files.set(part.path, { path: part.path, body: prepared.target, isPublished: true });
  }

  async discard(): Promise<void> {
    this.#reserved.dispose();
    for (const file of this.#temporary) await rm(file, { force: true });
    this.#temporary.clear();
  }

  #pathOf(time: Value): string {
    const { now, zone } = this.#present;
    return pathAt(this.#planNode.path, { logtime: time instanceof Temporal.Instant ? time : now, now, zone });
  }

  async #fileAt(path: string): Promise<ExportedFile> {
    const known = this.#files.get(path);
    if (known) return known;
    if (this.#files.size === MAX_FILES) throw tooManyFiles(MAX_FILES);
    if (this.#folder.target(path).state === 'outside') throw this.#queryError(30100, path);
    const part = { path, body: await this.#newFile() };
    this.#files.set(path, part);
    if (!this.#planNode.append) await this.#append(part.body, this.#lines.heading);
    return part;
  }

  async #newFile(): Promise<string> {
    const file = await this.#folder.newTemporaryPath();
    this.#temporary.add(file);
    await writeFile(file, '', { flag: 'wx', mode: 0o600 });
    return file;
  }

  async #append(file: string, text: string): Promise<void> {
    if (text === '') return;
    const { form } = this.#planNode;
    const plain = this.#lines.encode(text);
    // Concatenated gzip members form a valid gzip file.
    const bytes = form.format === 'txt' && form.gzip ? await gzipAsync(plain) : plain;
    if ((await freeBytesForQueries(dirname(file))) < bytes.length)
      throw new NoSpace('little space left for exported rows');
    await appendFile(file, bytes);
  }

  /** Makes a file complete and durable; it still lacks its name. */
  async #prepareFile(part: ExportedFile): Promise<PreparedFile> {
    const { append, overwrite } = this.#planNode;
    const found = this.#requireTarget(part);
    await this.#folder.makeParentFolders(found.path);
    // A parent folder may have appeared since, and may be a link.
    const again = this.#requireTarget(part);
    if (append) return { part, target: again.path, replaces: true };
    const reservation = this.#folder.reserve(again.path, { replaces: overwrite });
    if (!reservation) throw this.#queryError(30101, part.path);
    this.#reserved.use(reservation);
    await fsync(part.body);
    return { part, target: again.path, replaces: overwrite };
  }

  /** Throws 30100 or 30101 for a target that cannot be written. */
  #requireTarget({ path }: ExportedFile): Exclude<ExportTarget, { state: 'outside' }> {
    const { append, overwrite } = this.#planNode;
    const found = this.#folder.target(path);
    if (found.state === 'outside') throw this.#queryError(30100, path);
    const mayBe = found.state === 'free' || (found.state === 'taken' && (append || overwrite));
    if (!mayBe) throw this.#queryError(30101, path);
    return found;
  }

  /** Runs exclusively per target, so that an append sees all earlier appends. */
  async #publish({ part, target, replaces }: PreparedFile): Promise<void> {
    const file = this.#planNode.append ? await this.#appendToTarget(part, target) : part.body;
    if (replaces) {
      await rename(file, target);
      return;
    }
    try {
      await link(file, target);
    } catch (cause) {
      const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      throw isTaken ? this.#queryError(30101, part.path) : cause;
    }
  }

  /** A temporary file with the existing contents, or the heading, followed by the rows. */
  async #appendToTarget({ path, body }: ExportedFile, target: string): Promise<string> {
    const file = await this.#newFile();
    const found = this.#folder.target(path);
    if (found.state === 'taken' && found.path === target) {
      await copyFile(target, file, constants.COPYFILE_FICLONE);
      await chmod(file, 0o600);
    } else await this.#append(file, this.#lines.heading);
    await appendContents(body, file);
    await fsync(file);
    return file;
  }

  #queryError(code: 30100 | 30101, path: string): QueryError {
    return new QueryError(code, this.#planNode, { name: path });
  }
}

async function appendContents(from: string, to: string): Promise<void> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'a');
  const piece = Buffer.allocUnsafe(COPY_BUFFER_BYTES);
  for (;;) {
    const { bytesRead } = await source.read(piece, 0, piece.length);
    if (bytesRead === 0) return;
    await target.appendFile(piece.subarray(0, bytesRead));
  }
}
