// Unfinished uploads, so that the same command resumes them: a file per upload in the user's state folder, named by source
// and target, holding the token.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from '#cli/kit/command.ts';
import { stateFolder } from '#cli/kit/files/state-folder.ts';

export interface Unfinished {
  token(): string | undefined;
  keep(token: string): void;
  forget(): void;
}

/** `facts` must be equal for an upload to be resumed; without them nothing is stored. */
export function unfinishedUpload(
  environment: Invocation['environment'],
  facts: readonly string[] | undefined,
): Unfinished {
  if (!facts) return { token: () => undefined, keep: () => undefined, forget: () => undefined };
  const folder = join(stateFolder(environment), 'imports');
  const name = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  const path = join(folder, name);
  return {
    token: () => readIfThere(path),
    keep(token) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(path, token, { mode: 0o600 });
    },
    forget: () => rmSync(path, { force: true }),
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
