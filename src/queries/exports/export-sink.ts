// The files of one file sink: one, or with `partition=t` one for each path that its rows give. Rows are written to files
// without a name of their own; at the end all is made ready first, and only then do the files take their names.

import { constants } from 'node:fs';
import { appendFile, chmod, copyFile, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { tooManyFiles } from '#contract/errors.ts';
import { NoSpace } from '#engines/engine.ts';
import type { RowSink } from '#engines/plan-run.ts';
import { fsync } from '#files/durable.ts';
import { spareBytes } from '#queries/spare-room.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Present } from '#query/model/times.ts';
import type { Value } from '#query/model/values.ts';
import type { Output } from '#query/nodes/output.ts';
import { pathAt } from '#query/values/export-paths.ts';
import type { ExportFolder, Place } from './export-folder.ts';
import { type RowLines, rowLines } from './row-lines.ts';

/** More would be a mistake in the pattern of a path. */
const MAX_FILES = 10_000;
const COPIED_BYTES = 1024 * 1024;

const zipped = promisify(gzip);

interface Part {
  readonly path: string;
  /** Rows, and before them the heading unless the file may have one already. */
  readonly body: string;
}

/** A file as it will be. */
interface Ready {
  readonly part: Part;
  readonly target: string;
  readonly replaces: boolean;
}

export class ExportSink implements RowSink {
  readonly #node: Output;
  readonly #present: Present;
  readonly #folder: ExportFolder;
  readonly #lines: RowLines;
  readonly #parts = new Map<string, Part>();
  readonly #left = new Set<string>();
  readonly #ready: Ready[] = [];
  readonly #reserved = new DisposableStack();

  private constructor(node: Output, present: Present, folder: ExportFolder) {
    this.#node = node;
    this.#present = present;
    this.#folder = folder;
    this.#lines = rowLines(node, present.zone);
  }

  static async open(node: Output, present: Present, folder: ExportFolder): Promise<ExportSink> {
    const sink = new ExportSink(node, present, folder);
    const isOne = node.path.every((part) => typeof part === 'string' || part.moment === 'now');
    // One file is there even if no row comes.
    if (isOne) await sink.#part(sink.#pathOf(present.now));
    return sink;
  }

  async add(rows: readonly ReadonlyMap<string, Value>[]): Promise<void> {
    const byPath = Map.groupBy(rows, (row) => this.#pathOf(row.get('_time') ?? null));
    for (const [path, own] of byPath) {
      const { body } = await this.#part(path);
      await this.#append(body, own.map((row) => this.#lines.line(row)).join(''));
    }
  }

  async prepare(): Promise<void> {
    for (const part of this.#parts.values()) this.#ready.push(await this.#made(part));
  }

  async commit(): Promise<void> {
    for (const one of this.#ready) await this.#folder.inTurn(one.target, () => this.#publish(one));
    for (const folder of new Set(this.#ready.map(({ target }) => dirname(target)))) await fsync(folder);
    await this.discard();
  }

  async discard(): Promise<void> {
    this.#reserved.dispose();
    for (const file of this.#left) await rm(file, { force: true });
    this.#left.clear();
  }

  #pathOf(time: Value): string {
    const { now, zone } = this.#present;
    return pathAt(this.#node.path, { logtime: time instanceof Temporal.Instant ? time : now, now, zone });
  }

  async #part(path: string): Promise<Part> {
    const known = this.#parts.get(path);
    if (known) return known;
    if (this.#parts.size === MAX_FILES) throw tooManyFiles(MAX_FILES);
    if (this.#folder.place(path).state === 'outside') throw this.#mistake(30100, path);
    const part = { path, body: await this.#newFile() };
    this.#parts.set(path, part);
    if (!this.#node.append) await this.#append(part.body, this.#lines.heading);
    return part;
  }

  async #newFile(): Promise<string> {
    const file = await this.#folder.unfinished();
    this.#left.add(file);
    await writeFile(file, '', { flag: 'wx', mode: 0o600 });
    return file;
  }

  async #append(file: string, text: string): Promise<void> {
    if (text === '') return;
    const { form } = this.#node;
    const plain = this.#lines.encode(text);
    // Members of gzip that follow each other are one file.
    const bytes = form.format === 'txt' && form.gzip ? await zipped(plain) : plain;
    if ((await spareBytes(dirname(file))) < bytes.length) throw new NoSpace('little space left for exported rows');
    await appendFile(file, bytes);
  }

  /** Whole and durable, but without its name. */
  async #made(part: Part): Promise<Ready> {
    const { append, overwrite } = this.#node;
    const place = this.#free(part);
    await this.#folder.makeWay(place.path);
    // A folder on the way may be there only now, and be a link.
    const again = this.#free(part);
    if (append) return { part, target: again.path, replaces: true };
    const reservation = this.#folder.reserve(again.path);
    if (!reservation) throw this.#mistake(30101, part.path);
    this.#reserved.use(reservation);
    await fsync(part.body);
    return { part, target: again.path, replaces: overwrite };
  }

  /** 30100, 30101 where the file cannot be put. */
  #free({ path }: Part): Exclude<Place, { state: 'outside' }> {
    const { append, overwrite } = this.#node;
    const place = this.#folder.place(path);
    if (place.state === 'outside') throw this.#mistake(30100, path);
    const mayBe = place.state === 'free' || (place.state === 'taken' && (append || overwrite));
    if (!mayBe) throw this.#mistake(30101, path);
    return place;
  }

  /** In turn: whoever adds to a file adds to what others have added before. */
  async #publish({ part, target, replaces }: Ready): Promise<void> {
    const file = this.#node.append ? await this.#joined(part, target) : part.body;
    if (replaces) {
      await rename(file, target);
      return;
    }
    try {
      await link(file, target);
    } catch (cause) {
      const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      throw isTaken ? this.#mistake(30101, part.path) : cause;
    }
  }

  /** What is there, or a heading, and then the rows. */
  async #joined({ path, body }: Part, target: string): Promise<string> {
    const file = await this.#newFile();
    const place = this.#folder.place(path);
    if (place.state === 'taken' && place.path === target) {
      await copyFile(target, file, constants.COPYFILE_FICLONE);
      await chmod(file, 0o600);
    } else await this.#append(file, this.#lines.heading);
    await appended(body, file);
    await fsync(file);
    return file;
  }

  #mistake(code: 30100 | 30101, path: string): QueryError {
    return new QueryError(code, this.#node, { name: path });
  }
}

async function appended(from: string, to: string): Promise<void> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'a');
  const piece = Buffer.allocUnsafe(COPIED_BYTES);
  for (;;) {
    const { bytesRead } = await source.read(piece, 0, piece.length);
    if (bytesRead === 0) return;
    await target.appendFile(piece.subarray(0, bytesRead));
  }
}
