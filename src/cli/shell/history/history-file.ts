// The history on disk, in the user's state folder and readable by that user only: a JSON text per line, so that a statement may
// have lines of its own. Several shells add to one file.

import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from '#cli/kit/command.ts';
import { codeOf } from '#cli/kit/failures/failure.ts';
import { stateFolder } from '#cli/kit/files/state-folder.ts';
import { History, MAX_ENTRIES } from './history.ts';

export class HistoryFile {
  readonly history: History;
  readonly #folder: string;
  readonly #isSecret: (text: string) => boolean;

  private constructor(folder: string, history: History, isSecret: (text: string) => boolean) {
    this.#folder = folder;
    this.history = history;
    this.#isSecret = isSecret;
  }

  /** A text that `isSecret` is never remembered. */
  static open(environment: Invocation['environment'], isSecret: (text: string) => boolean): HistoryFile {
    const folder = stateFolder(environment);
    const entries = entriesIn(join(folder, NAME));
    if (entries.length > MAX_ENTRIES * 2) shorten(join(folder, NAME), entries.slice(-MAX_ENTRIES));
    return new HistoryFile(folder, new History(entries), isSecret);
  }

  /** Undefined, or why it could not be written down. */
  add(text: string): { path: string; code: string } | undefined {
    if (this.#isSecret(text) || !this.history.add(text)) return undefined;
    const path = join(this.#folder, NAME);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      appendFileSync(path, lineOf(text), { mode: 0o600 });
      chmodSync(path, 0o600);
      return undefined;
    } catch (error) {
      return { path, code: codeOf(error) };
    }
  }
}

const NAME = 'shell-history';

const lineOf = (text: string) => `${JSON.stringify(text)}\n`;

/** Lines that are none of ours are left out; a file that cannot be read is no history. */
function entriesIn(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').flatMap(entryIn);
  } catch {
    return [];
  }
}

function entryIn(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'string' ? [entry] : [];
  } catch {
    return [];
  }
}

function shorten(path: string, entries: readonly string[]): void {
  try {
    writeFileSync(`${path}.new`, entries.map(lineOf).join(''), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // The file stays long, and the next shell tries again.
  }
}
