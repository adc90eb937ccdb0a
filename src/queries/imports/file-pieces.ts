// The files of a file driver as pieces of bytes, one file after the other.

import type { FileHandle } from 'node:fs/promises';
import { QueryError } from '#query/model/query-error.ts';
import type { FileBytes } from '#query/plan-nodes/effect.ts';
import type { FileRows } from '#query/plan-nodes/files.ts';
import { ImportFailure, type ImportFile, type ImportFolders, readFailure } from './import-folders.ts';
import { gunzipped, UnpackedBytes } from './unpacking.ts';
import { ZipArchive } from './zip-archive.ts';

/** Of one piece: a few milliseconds of work for the reader of rows. */
const PIECE_BYTES = 2 ** 18;

export interface FilePiecesDeps {
  readonly folders: ImportFolders;
  readonly signal: AbortSignal;
  /** Called with the paths before the first of them is opened. */
  begin(paths: readonly string[]): Promise<void>;
}

export async function* filePieces(node: FileRows, deps: FilePiecesDeps): AsyncGenerator<FileBytes> {
  try {
    const paths = await deps.folders.find(node.path);
    await deps.begin(paths);
    let entries = 0;
    for (const path of paths) {
      for await (const piece of piecesOf(path, node, deps)) {
        deps.signal.throwIfAborted();
        if (piece.isEnd) entries += 1;
        yield piece;
      }
    }
    if (entries === 0) throw new ImportFailure(10801, { name: entryOf(node) });
  } catch (error) {
    throw error instanceof ImportFailure ? new QueryError(error.code, node, error.values) : error;
  }
}

const entryOf = ({ form, path }: FileRows): string => (form.format === 'zip' ? form.entry : path);

async function* piecesOf(path: string, { form }: FileRows, { folders }: FilePiecesDeps): AsyncGenerator<FileBytes> {
  await using file = await folders.open(path);
  try {
    if (form.format === 'zip') yield* entryPieces(path, file, form.entry);
    else yield* marked(plainBytes(path, file), { file: path });
  } catch (error) {
    throw readFailure(error, path);
  }
}

function plainBytes(path: string, { handle, size }: ImportFile): AsyncGenerator<Uint8Array> {
  const bytes = readPieces(handle);
  return path.endsWith('.gz') ? gunzipped({ path, bytes, unpacked: new UnpackedBytes(size) }) : bytes;
}

async function* readPieces(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* entryPieces(path: string, file: ImportFile, pattern: string): AsyncGenerator<FileBytes> {
  const archive = new ZipArchive(path, file);
  const unpacked = new UnpackedBytes(file.size);
  for (const entry of await archive.entries(pattern)) {
    yield* marked(archive.bytes(entry, unpacked), { file: path, entry: entry.name });
  }
}

/** Small pieces are joined: each costs a message to another thread. */
async function* marked(
  bytes: AsyncIterable<Uint8Array>,
  about: Pick<FileBytes, 'file' | 'entry'>,
): AsyncGenerator<FileBytes> {
  let small: Uint8Array[] = [];
  let size: number = 0;
  for await (const piece of bytes) {
    if (size + piece.length > PIECE_BYTES) {
      yield { ...about, bytes: Buffer.concat(small), isEnd: false };
      [small, size] = [[], 0];
    }
    small.push(piece);
    size += piece.length;
  }
  yield { ...about, bytes: Buffer.concat(small), isEnd: true };
}
