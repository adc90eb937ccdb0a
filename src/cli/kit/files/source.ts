// A file of logs that a command reads: one by its name, or standard input, which is spooled to a file because an upload needs its size.

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, resolve } from 'node:path';
import type { Streams } from '#cli/kit/command.ts';
import { codeOf } from '#cli/kit/failures/failure.ts';
import { makeNamelessFile } from '#files/nameless.ts';
import { readUpTo } from '#files/whole.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { STANDARD_INPUT } from './text-file.ts';

const PIECE_BYTES = 256 * 1024;
const GZIP_MARK = Buffer.from([0x1f, 0x8b]);

export interface Source extends AsyncDisposable {
  /** The argument that names it. */
  readonly given: string;
  /** The file name that is sent to the service. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Equal for equal path, size, modification time, beginning and end; undefined for standard input, which cannot be read again. */
  readonly identity: string | undefined;
  read(from: number, end: number): AsyncGenerator<Buffer>;
}

/** Whether its content is decompressed. */
export const isGzip = ({ name }: Pick<Source, 'name'>): boolean => /\.gz$/i.test(name);

/** Throws a UsageError before anything is sent. */
export function requireFiles(words: readonly string[]): void {
  if (words.filter((word) => word === STANDARD_INPUT).length > 1) throw new UsageError('import-stdin-twice');
  for (const path of words.filter((word) => word !== STANDARD_INPUT)) statOf(path);
}

export async function openSource(given: string, { stdin }: Streams): Promise<Source> {
  if (given === STANDARD_INPUT) return await spooled(stdin ?? process.stdin);
  const { size, mtimeMs } = statOf(given);
  const path = resolve(given);
  return {
    given,
    name: basename(path),
    sizeBytes: size,
    identity: `${path} ${size} ${mtimeMs} ${await endsDigest(path, size)}`,
    read: (from, end) => bytesOf(path, from, end),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** A file may be rewritten with its size, and given its old time. */
async function endsDigest(path: string, sizeBytes: number): Promise<string> {
  try {
    await using file = await open(path, 'r');
    const digest = createHash('sha256').update(await readUpTo(file, 0, Math.min(PIECE_BYTES, sizeBytes)));
    const end = Math.max(0, sizeBytes - PIECE_BYTES);
    return digest.update(await readUpTo(file, end, sizeBytes - end)).digest('hex');
  } catch (cause) {
    throw new UsageError('cannot-read', { path, code: codeOf(cause) }, { cause });
  }
}

function statOf(path: string): { size: number; mtimeMs: number } {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw new UsageError('not-a-file', { path });
    return stat;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const code = codeOf(cause);
    throw code === 'ENOENT'
      ? new UsageError('no-such-file', { path }, { cause })
      : new UsageError('cannot-read', { path, code }, { cause });
  }
}

async function spooled(stdin: NodeJS.ReadableStream): Promise<Source> {
  const { handle: file, [Symbol.asyncDispose]: dispose } = await makeNamelessFile(tmpdir());
  try {
    await file.writeFile(stdin as AsyncIterable<Buffer>);
    return {
      given: STANDARD_INPUT,
      name: (await beginsWith(file, GZIP_MARK)) ? 'stdin.gz' : 'stdin',
      sizeBytes: (await file.stat()).size,
      identity: undefined,
      read: (from, end) => piecesOf(file, from, end),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function beginsWith(file: FileHandle, mark: Buffer): Promise<boolean> {
  return (await readUpTo(file, 0, mark.length)).equals(mark);
}

async function* bytesOf(path: string, from: number, end: number): AsyncGenerator<Buffer> {
  await using file = await open(path, 'r');
  yield* piecesOf(file, from, end);
}

async function* piecesOf(file: FileHandle, from: number, end: number): AsyncGenerator<Buffer> {
  for (let at = from; at < end; ) {
    const piece = await readUpTo(file, at, Math.min(PIECE_BYTES, end - at));
    // The file became shorter.
    if (piece.length === 0) return;
    at += piece.length;
    yield piece;
  }
}
