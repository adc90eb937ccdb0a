// Making events of matches, in the process of the bench.

import { DatabaseSync } from 'node:sqlite';
import { groupByKey, type Match } from '#detection/events/matches.ts';
import { raiseEvents } from '#detection/events/raise-events.ts';
import type { RuleVersion } from '#detection/events/raise-input.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { openAuditParts } from './audit-parts.ts';
import type { Effort, Row } from './bench.ts';
import { MASTER_KEY } from './server-process.ts';
import { timed } from './timed.ts';
import type { WorkFolder } from './work-folder.ts';

export const RAISING_NOTES: readonly string[] = [
  'Raising: one unit of the store on the embedded database, flush included, in the process of the bench. Half of the matches make events, the others join them; when they are raised again, all join. The yardstick is one transaction (WAL, synchronous=FULL) with as many rows of 20 columns as there are matches.',
  '"event loop held" is the longest time between two turns of the event loop meanwhile.',
];

const HELD_AIM = { of: 'value', is: 'at most', bound: 50 } as const;
const CONTENT = {
  priority: 'HIGH',
  msg: 'login of $user failed',
  suppress_key: '$user',
  event_suppress_interval: 3600,
};

export async function measureRaising(folder: WorkFolder, { isQuick, say }: Effort): Promise<Row[]> {
  const options = { folder: folder.at('raising'), masterKey: MASTER_KEY };
  await using parts = await openAuditParts(options, systemClock);
  const raiseFor = async (guid: string, some: readonly Match[]) => {
    const rule: RuleVersion = { kind: 'batch', guid, name: 'r', version: 1, content: CONTENT };
    const matches = await groupByKey(some, CONTENT);
    const raising = { rule, matches, queryId: 1, now: Date.now(), sealing: undefined };
    return await watched(() => parts.store.write((db) => raiseEvents(db, raising)));
  };
  // What a first time has to load is loaded.
  await raiseFor('first', matchesOf(10));
  const rows: Row[] = [];
  for (const count of isQuick ? [500, 2000] : [10_000, 100_000]) {
    say(`${count} matches`);
    const matches = matchesOf(count);
    const fresh = await raiseFor(`r${count}`, matches);
    const joined = await raiseFor(`r${count}`, matches);
    if (fresh.value.events !== count / 2 || joined.value.events !== 0)
      throw new Error('not the events that there should be');
    const yardstick = insertBare(folder.at(`bare-${count}.db`), count);
    const common = { unit: 'ms' } as const;
    rows.push(
      { what: `${count} matches to ${count / 2} events`, value: fresh.milliseconds, yardstick, ...common },
      { what: `${count} matches to events: event loop held`, value: fresh.held, aim: HELD_AIM, ...common },
      { what: `${count} matches that join them`, value: joined.milliseconds, yardstick, ...common },
      { what: `${count} matches that join: event loop held`, value: joined.held, aim: HELD_AIM, ...common },
    );
  }
  return rows;
}

const matchesOf = (count: number): Match[] =>
  Array.from({ length: count }, (_, number) => {
    return { fields: { user: `user ${number % (count / 2)}`, status: 401, path: '/login' }, time: number };
  });

/** As `timed`, with the longest time between two turns of the event loop. */
async function watched<T>(work: () => Promise<T>): Promise<{ value: T; milliseconds: number; held: number }> {
  let held = 0;
  let last = performance.now();
  let next: NodeJS.Immediate | undefined;
  const beat = () => {
    const now = performance.now();
    held = Math.max(held, now - last);
    last = now;
    next = setImmediate(beat);
  };
  beat();
  const { value, milliseconds } = await timed(work);
  clearImmediate(next);
  held = Math.max(held, performance.now() - last);
  return { value, milliseconds, held };
}

/** Milliseconds for one transaction. */
function insertBare(file: string, count: number): number {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  const columns = Array.from({ length: 20 }, (_, number) => `c${number}`);
  database.exec(`create table rows (${columns.join(', ')})`);
  const insert = database.prepare(`insert into rows values (${columns.map(() => '?').join(', ')})`);
  const begun = performance.now();
  database.exec('begin immediate');
  for (let number = 0; number < count; number += 1) insert.run(...columns.map(() => 'a value of some length'));
  database.exec('commit');
  const taken = performance.now() - begun;
  database.close();
  return taken;
}
