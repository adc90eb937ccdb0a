// Writes a stream to standard output, or completely to a file.

import { chmodSync, createWriteStream, readlinkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Flags, Invocation } from '#cli/kit/command.ts';
import { codeOf, ServiceError } from '#cli/kit/failures/failure.ts';
import { UsageError } from '#kernel/usage-error.ts';

export const outputFlag: Flags = {
  output: {
    hint: 'FILE',
    about: { en: 'file to write in place of standard output', ko: '표준 출력 대신 쓸 파일' },
  },
};

/** A new file may hold what not everybody should read. */
const NEW_FILE_MODE = 0o600;
const PERMISSIONS = 0o777;
const MAX_LINKS = 40;

/** Standard output, unless a file is named. */
interface Outlet extends Pick<Invocation, 'streams' | 'note' | 'translator'> {
  readonly output?: string | undefined;
}

interface Writing {
  readonly signal?: AbortSignal;
  /** False where the end of the source is not the end of what was asked for. */
  readonly isWhole?: boolean;
}

export async function writeOut(source: Readable, outlet: Outlet, writing: Writing = {}): Promise<void> {
  const { output, streams } = outlet;
  if (output === undefined) await pipeline(source, streams.stdout, { end: false, ...signalOf(writing) });
  else await toFile(source, output, { ...outlet, ...writing });
}

const signalOf = ({ signal }: Writing) => (signal ? { signal } : {});

/**
 * Writes under another name until the file is complete, so that a file keeps its content where what is written is not all.
 * Devices and pipes are written into.
 */
async function toFile(source: Readable, given: string, writing: Pick<Outlet, 'note' | 'translator'> & Writing) {
  const found = statSync(given, { throwIfNoEntry: false });
  const file = behindLinks(given);
  if (isOpened(file) || (found && !found.isFile())) return await fill(createWriteStream(given, { flags: 'a' }));
  const part = `${file}.part`;
  try {
    await fill(createWriteStream(part, { mode: NEW_FILE_MODE }));
    // The mode that a file is made with is cut by the umask of the process.
    if (found) chmodSync(part, found.mode & PERMISSIONS);
  } catch (error) {
    if (isFromSource(error) && !writing.signal?.aborted) leavePart(file, part, writing);
    else rmSync(part, { force: true });
    throw error;
  }
  if (writing.isWhole === false) leavePart(file, part, writing);
  else renameSync(part, file);

  async function fill(target: Writable): Promise<void> {
    try {
      await pipeline(source, target, signalOf(writing));
    } catch (error) {
      if (isFromSource(error) || writing.signal?.aborted) throw error;
      throw new UsageError('cannot-write', { path: given, code: codeOf(error) }, { cause: error });
    }
  }
}

/** Behind /dev/stdout, for example: it goes on behind what was written to it before, wherever it leads. */
const isOpened = (file: string): boolean => /^(?:\/proc\/\d+(?:\/task\/\d+)?|\/dev)\/fd$/.test(dirname(file));

const isFromSource = (error: unknown): boolean =>
  error instanceof ServiceError ||
  (error instanceof UsageError && error.code !== 'cannot-write') ||
  codeOf(error) === '';

/** A file without a byte is worth nothing to anybody. */
function leavePart(file: string, part: string, { note, translator }: Pick<Outlet, 'note' | 'translator'>): void {
  if (statSync(part, { throwIfNoEntry: false })?.size) note(translator.text('output-part', { part, file }));
  else rmSync(part, { force: true });
}

/** The file that a link leads to, also where it is not there yet. A target is relative to the folder that its link is really in. */
function behindLinks(given: string): string {
  if (/(?:^|\/)$/.test(given)) throw new UsageError('cannot-write', { path: given, code: 'EISDIR' });
  let file = given;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const folder = realFolder(file, given);
    const target = isOpened(`${folder}/x`) ? undefined : linkTarget(file);
    if (target === undefined) return `${folder}/${basename(file)}`;
    // Not normalized: behind a link to a folder `..` is another one.
    file = isAbsolute(target) ? target : `${folder}/${target}`;
  }
  throw new UsageError('cannot-write', { path: given, code: 'ELOOP' });
}

function realFolder(file: string, given: string): string {
  try {
    return realpathSync.native(dirname(file));
  } catch (error) {
    throw new UsageError('cannot-write', { path: given, code: codeOf(error) }, { cause: error });
  }
}

function linkTarget(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
