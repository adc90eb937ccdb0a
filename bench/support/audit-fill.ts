// Fills an audit trail with many entries, quickly but really: through the trail, with a clock that runs ahead so that
// the entries spread over time.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toStamp } from '#contract/times.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import type { Store } from '#store/store.ts';
import { draftOf } from './audit-entries.ts';
import { type AuditLocation, openAuditParts } from './audit-parts.ts';

/** On average: the entries of a group share one moment. */
export const SECONDS_BETWEEN = 10;
/** Larger groups where a commit costs a round trip to the database. */
const ENTRIES_PER_GROUP = { sqlite: 50, postgres: 500 } as const;
const BEGINNING = Temporal.Instant.from('2024-01-01T00:00:00Z');

export interface AuditFill {
  readonly entries: number;
  readonly seconds: number;
  /** From the first entry in the text index to the last. */
  readonly indexSeconds: number;
  readonly databaseBytes: number;
  readonly indexBytes: number;
  readonly witnessBytes: number;
}

interface Fill extends AuditLocation {
  readonly entries: number;
}

/** The moment so many seconds after the first entry, as the wire writes it. */
export const stampOf = (seconds: number): string => toStamp(BEGINNING.add({ seconds }), 'UTC');

export async function fillTrail(fill: Fill, tell: (done: number) => void): Promise<AuditFill> {
  let done = 0;
  const now = () => BEGINNING.add({ seconds: done * SECONDS_BETWEEN });
  const clock: Clock = { ...systemClock, now, nowMs: () => now().epochMilliseconds };
  await using parts = await openAuditParts(fill, clock);
  const begun = performance.now();
  while (done < fill.entries) {
    const group = Array.from({ length: ENTRIES_PER_GROUP[parts.store.dialect] }, (_, at) => draftOf(done + at + 1));
    await Promise.all(group.map((draft) => parts.trail.record(draft)));
    done += group.length;
    tell(done);
  }
  const written = performance.now();
  const index = parts.index();
  while (index.lag() > 0) await pause(20);
  const indexed = performance.now();
  if (parts.failures.size > 0) throw new Error(`filling failed: ${[...parts.failures]}`);
  return {
    entries: fill.entries,
    seconds: (written - begun) / 1000,
    indexSeconds: (indexed - written) / 1000,
    ...(await sizes(fill, parts.store)),
  };
}

async function sizes({ folder }: Fill, store: Store) {
  const witnessBytes = bytesIn(join(folder, 'keys'), 'audit-witness');
  if (store.dialect === 'postgres') {
    // The servers of the benches do not do it by themselves.
    await store.scanner.exec('analyze');
    const [row] = await store.reader.all(
      `select pg_database_size(current_database()) as bytes, pg_total_relation_size('audit_grams') as index_bytes`,
    );
    return { databaseBytes: Number(row?.bytes), indexBytes: Number(row?.index_bytes), witnessBytes };
  }
  const data = join(folder, 'data');
  return { databaseBytes: bytesIn(data, 'metadata.db'), indexBytes: bytesIn(data, 'search.db'), witnessBytes };
}

/** Of the files whose name begins so: a database and its log. */
function bytesIn(folder: string, prefix: string): number {
  if (!existsSync(folder)) return 0;
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix));
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
