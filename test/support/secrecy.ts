// Searches everything that the service writes.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFile } from '#logs/runs/duckdb/empty-file.ts';
import type { Home, VigilProcess } from './process.ts';

/** Where each of `texts` is found: files of the installation and of the memory folder, and what the processes said. */
export function found(home: Home, processes: readonly VigilProcess[], texts: readonly string[]): string[] {
  const said = processes.map(({ output }) => Buffer.from(output().stdout + output().stderr));
  const files = [
    ...filesIn(home.folder),
    ...filesIn(home.memoryFolder),
    ...said.map((bytes) => ({ name: 'output', bytes })),
  ];
  return files.flatMap(({ name, bytes }) =>
    texts.filter((text) => bytes.includes(text) || name.includes(text)).map((text) => `${text} in ${name}`),
  );
}

const NO_RECORD = emptyFile();

/** What is removed between the listing and the reading was searched before, or will be under another name. */
function filesIn(folder: string): { name: string; bytes: Buffer }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const name = join(entry.parentPath, entry.name);
    try {
      if (!entry.isFile()) return [];
      const bytes = readFileSync(name);
      // The one file of its kind that holds no record, and it is the same for all.
      return bytes.equals(NO_RECORD) ? [] : [{ name, bytes }];
    } catch {
      return [];
    }
  });
}
