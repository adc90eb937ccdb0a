// The parts of the service that write audit entries, wired as src/app/app.ts does, over a folder or database of one's own.

import { join } from 'node:path';
import { openFoundation } from '#app/foundation/foundation.ts';
import { install } from '#app/foundation/install.ts';
import { openTextIndex, type TextIndex } from '#audit/search/text-index.ts';
import type { Trail } from '#audit/trail.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Store } from '#store/store.ts';

export interface AuditParts extends AsyncDisposable {
  readonly store: Store;
  readonly trail: Trail;
  /** Opened at the first call: from then on the index is filled behind the head. */
  index(): TextIndex;
  /** What went wrong with groups that were not committed. */
  readonly failures: ReadonlySet<string>;
}

export interface AuditLocation {
  /** `keys` and, unless there is a database, `data` are made below it. */
  readonly folder: string;
  readonly database?: string;
  readonly masterKey: string;
}

export async function openAuditParts(
  { folder, database, masterKey }: AuditLocation,
  clock: Clock,
): Promise<AuditParts> {
  const failures = new Set<string>();
  const observer = {
    groupCommitted: () => undefined,
    storeFailed: (error: unknown) => void failures.add(String(error)),
  };
  const folders = { data: join(folder, 'data'), keys: join(folder, 'keys'), ...(database ? { database } : {}) };
  const foundation = await openFoundation(folders, { clock, observer });
  const { store, trail, installation } = foundation;
  if (installation.isNew) await install(installation, { trail, clock, masterKey });
  let index: TextIndex | undefined;
  return {
    store,
    trail,
    failures,
    index() {
      index ??= openTextIndex({
        store,
        clock,
        location: database ?? folders.data,
        head: () => trail.head,
        failed: (error) => void failures.add(String(error)),
      });
      return index;
    },
    async [Symbol.asyncDispose]() {
      await index?.close();
      await foundation.close();
    },
  };
}
