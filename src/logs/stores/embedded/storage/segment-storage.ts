// The storage of a table's files. Without a crypto profile they are stored as DuckDB writes them; with one they are
// authenticated or encrypted, see the room protection/.

import { appendFile, type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiError } from '#contract/errors.ts';
import { fsync } from '#files/durable.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import type { SealInstance } from '#logs/runs/duckdb/seal-instance.ts';
import type { LearntColumns } from '#logs/stores/shared/columns.ts';
import type { Segment } from './catalog.ts';
import { type Framing, plainFraming } from './frames.ts';

export interface SegmentStorage {
  /** The instance that reads and writes the table and holds its fresh records. */
  readonly instance: Instance;
  /** Whether nothing of it may be on a disk in clear. */
  readonly isSecret: boolean;
  framing(journal: number): Framing;
  /** The learnt columns of a table as the catalog stores them, and back. */
  columnsText(columns: LearntColumns): string;
  columnsOf(text: string): LearntColumns;
  /** The paths of segments for DuckDB. Refuses when one is corrupt. */
  borrow(segments: readonly Segment[]): Promise<Borrowed>;
  /** Puts a file in its place, durable and whole, once `copy` has written it as Parquet to the path it is given. */
  write(file: string, copy: (path: string) => Promise<void>): Promise<WrittenFile>;
  /** A file for a while, which DuckDB can read. */
  scratch(name: string): Promise<Scratch>;
  /** The file of a segment's filter: one that is lost or damaged only costs time. Resolves to its length. */
  writeFilter(segment: Segment, content: Buffer): Promise<number>;
  /** Undefined where it is missing, or not as it was written. */
  readFilter(segment: Segment): Promise<Buffer | undefined>;
  /** The file was removed; its filter goes with it. */
  forget(file: string): void;
  /** The segment at fault when a statement over `segments` failed, if one is. */
  blame(segments: readonly Segment[]): Promise<ApiError | undefined>;
}

/** The storage for statements over files alone, which need none of the instance's tables. */
export const sealingStorage = async (storage: SegmentStorage, seals: SealInstance): Promise<SegmentStorage> =>
  storage.isSecret ? storage : { ...storage, instance: await seals.orElse(storage.instance) };

export interface Borrowed extends Disposable {
  /** In the order of the segments. */
  readonly paths: readonly string[];
}

/** Gone when it is disposed of. */
export interface Scratch extends AsyncDisposable {
  readonly path: string;
  append(lines: string | Buffer): Promise<void>;
}

export interface WrittenFile {
  readonly bytes: number;
  readonly mac: string | null;
}

export interface SegmentStorageDeps {
  readonly instance: Instance;
  readonly folder: string;
  /** Reports a corrupt file of the table, and gives the refusal that names it. */
  reportCorruption(file: string, cause?: unknown): ApiError;
}

export function plainStorage({ instance, folder, reportCorruption }: SegmentStorageDeps): SegmentStorage {
  return {
    instance,
    isSecret: false,
    framing: plainFraming,
    columnsText: (columns) => JSON.stringify(columns),
    columnsOf: (text) => JSON.parse(text),
    borrow: async (segments) => ({
      paths: segments.map(({ file }) => join(folder, file)),
      [Symbol.dispose]() {},
    }),
    async write(file, copy) {
      await replaceAtomically(join(folder, file), copy);
      return { bytes: (await stat(join(folder, file))).size, mac: null };
    },
    scratch: (name) => scratchFile(join(folder, name)),
    writeFilter: (segment, content) => replaceFile(join(folder, filterFile(segment.file)), content),
    readFilter: ({ file }) => readIfThere(join(folder, filterFile(file))),
    forget: (file) => void rm(join(folder, filterFile(file)), { force: true }),
    async blame(segments) {
      for (const segment of segments) {
        const cause = await faultOf(join(folder, segment.file), segment, instance);
        if (cause) return reportCorruption(segment.file, cause);
      }
      return undefined;
    },
  };
}

/** Beside the file of the segment. */
export const filterFile = (file: string): string => `${file}.words`;

/** Without a flush: a checksum tells a file that a crash has cut off. */
export async function replaceFile(path: string, content: Buffer): Promise<number> {
  const unfinished = `${path}.unfinished`;
  await writeFile(unfinished, content, { mode: 0o600 });
  await rename(unfinished, path);
  return content.length;
}

export const readIfThere = (path: string): Promise<Buffer | undefined> => readFile(path).catch(() => undefined);

/** One that a crash leaves is swept when its table is opened again. */
async function scratchFile(path: string): Promise<Scratch> {
  let made: FileHandle | undefined = await open(path, 'ax', 0o600);
  const close = async () => {
    const file = made;
    made = undefined;
    await file?.close();
  };
  return {
    path,
    // Many files wait to be read, and most are written once: none of them keeps a descriptor.
    append: (lines) => (made ? made.appendFile(lines).finally(close) : appendFile(path, lines)),
    async [Symbol.asyncDispose]() {
      await close();
      await rm(path, { force: true });
    },
  };
}

/** Without a MAC a file is checked by its presence, its length and by reading it to its end. */
async function faultOf(path: string, { bytes }: Segment, instance: Instance): Promise<unknown> {
  try {
    const { size } = await stat(path);
    if (size !== bytes) return new Error(`it has ${size} bytes in place of ${bytes}`);
    await instance.run(`select count(columns(*)) from read_parquet(${quotedText(path)})`);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The refusal for the corrupt file that made a statement over segments fail; the error itself where no file did. */
export async function blamed(error: unknown, storage: SegmentStorage, segments: readonly Segment[]): Promise<unknown> {
  const message = error instanceof Error ? error.message : '';
  const isOther = error instanceof ApiError || /^(Out of Memory|INTERRUPT) Error/.test(message);
  return isOther ? error : ((await storage.blame(segments)) ?? error);
}

/** `write` fills a file under another name, which then becomes `path`: durable as a whole or not at all. */
export async function replaceAtomically(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.unfinished`;
  try {
    await write(unfinished);
    await fsync(unfinished);
    await rename(unfinished, path);
    await fsync(dirname(path));
  } catch (error) {
    // On a full disk every byte counts.
    await rm(unfinished, { force: true });
    throw error;
  }
}
