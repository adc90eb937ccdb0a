// Writes a stream to standard output, or completely to a file.

import { createWriteStream, renameSync, rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '#kernel/usage-error.ts';
import type { Flags, Invocation } from './command.ts';
import { codeOf, ServiceError } from './failure.ts';

export const outputFlag: Flags = {
  output: {
    hint: 'FILE',
    about: { en: 'file to write in place of standard output', ko: '표준 출력 대신 쓸 파일' },
  },
};

/** Standard output, unless a file is named. */
interface Outlet extends Pick<Invocation, 'streams'> {
  readonly output?: string | undefined;
}

export async function writeOut(
  source: Readable,
  { output, streams }: Outlet,
  signal = new AbortController().signal,
): Promise<void> {
  if (output === undefined) await pipeline(source, streams.stdout, { end: false, signal });
  else await toFile(source, output, signal);
}

/** Writes under another name until the file is complete, so that no partial file has the given name. */
async function toFile(source: Readable, file: string, signal: AbortSignal): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(source, createWriteStream(part, { mode: 0o600 }), { signal });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    const code = codeOf(error);
    const isFromSource = error instanceof UsageError || error instanceof ServiceError || code === '';
    if (isFromSource || signal.aborted) throw error;
    throw new UsageError('cannot-write', { path: file, code }, { cause: error });
  }
}
