// The files of a table, as they lie in the data folder of a service.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;
const TIMEOUT_MS = 300_000;

export function tableFolderIn(folder: string, table: string): string {
  const tables = join(folder, 'data', 'tables');
  const name = readdirSync(tables).find((entry) => entry.startsWith(`${table}.`));
  if (name === undefined) throw new Error('the table has no folder');
  return join(tables, name);
}

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

/** Files that are written meanwhile among them. */
export const allIn = (folder: string) => filesIn(folder, '');
export const parquetIn = (folder: string) => filesIn(folder, '.parquet');
export const journalsIn = (folder: string) => filesIn(folder, '.journal');

/** A file that goes meanwhile has no bytes. */
export const bytesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);

export async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not after ${TIMEOUT_MS} ms: ${what}`);
    await pause(POLL_MS);
  }
}
