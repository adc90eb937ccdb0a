// The files of an exported installation (operations reference 13.6). A folder may come from anywhere: links are not followed, nothing
// but plain files is opened, and each file has a size that fits into memory.

import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '#cli/kit/failures/failure.ts';
import { UsageError } from '#kernel/usage-error.ts';

/** In the order in which objects are created; nothing is made of a stream. */
export const KINDS = ['table', 'parser', 'lookup', 'procedure', 'dataset', 'schedule', 'dashboard', 'stream'] as const;
export type Kind = (typeof KINDS)[number];

/** Endings of the files of a kind. */
const ENDINGS: Readonly<Record<Kind, readonly Ending[]>> = {
  table: ['json'],
  parser: ['json'],
  lookup: ['csv', 'json'],
  procedure: ['txt', 'json'],
  dataset: ['json'],
  schedule: ['txt', 'json'],
  dashboard: ['json'],
  stream: ['txt'],
};

export type Ending = 'txt' | 'json' | 'csv';

const MIB = 1024 * 1024;
/** Texts are far smaller; the rows of a lookup may be many. */
const MAX_BYTES: Readonly<Record<Ending, number>> = { txt: 16 * MIB, json: 16 * MIB, csv: 256 * MIB };

export interface ExportedFile {
  readonly kind: Kind;
  /** Below the folder. */
  readonly path: string;
  /** Of the object: the file's name without its ending, in NFC. */
  readonly name: string;
  readonly ending: Ending;
}

export interface UnreadFile {
  readonly file: string;
  readonly reason: 'link' | 'not-a-file' | 'other-file' | 'other-folder';
}

export interface ExportFolder {
  readonly files: readonly ExportedFile[];
  readonly unread: readonly UnreadFile[];
}

export function listFolder(dir: string): ExportFolder {
  const files: ExportedFile[] = [];
  const unread: UnreadFile[] = [];
  for (const entry of entriesOf(dir, dir)) {
    const kind = KINDS.find((one) => one === entry.name);
    if (!kind || !entry.isDirectory()) unread.push({ file: entry.name, reason: unreadReason(entry) });
    else listKind(dir, kind, { files, unread });
  }
  return { files, unread };
}

function listKind(dir: string, kind: Kind, found: { files: ExportedFile[]; unread: UnreadFile[] }): void {
  for (const entry of entriesOf(join(dir, kind), dir)) {
    const path = `${kind}/${entry.name}`;
    const ending = ENDINGS[kind].find((one) => entry.name.endsWith(`.${one}`));
    if (!entry.isFile() || !ending) found.unread.push({ file: path, reason: unreadReason(entry) });
    else found.files.push({ kind, path, ending, name: nameOf(entry.name.slice(0, -ending.length - 1)) });
  }
}

function entriesOf(folder: string, dir: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (cause) {
    throw new UsageError('migrate-no-folder', { path: dir, code: codeOf(cause) }, { cause });
  }
}

function unreadReason(entry: Dirent): UnreadFile['reason'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'other-folder';
  return entry.isFile() ? 'other-file' : 'not-a-file';
}

const nameOf = (written: string): string => written.replace(/%2F/gi, '/').normalize();

/** Why a file cannot be read; `detail` is the code of the system or a number of bytes. */
export interface UnreadableFile {
  readonly reason: 'cannot-read' | 'link' | 'not-a-file' | 'too-large';
  readonly detail: string;
}

export function readFile(dir: string, { path, ending }: ExportedFile): Buffer | UnreadableFile {
  try {
    return readPlain(join(dir, path), MAX_BYTES[ending]);
  } catch (cause) {
    const code = codeOf(cause);
    return { reason: code === 'ELOOP' ? 'link' : 'cannot-read', detail: code };
  }
}

/** A file may have become a link or a pipe since it was listed. */
function readPlain(path: string, maxBytes: number): Buffer | UnreadableFile {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) return { reason: 'not-a-file', detail: '' };
    if (found.size > maxBytes) return { reason: 'too-large', detail: String(maxBytes) };
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
