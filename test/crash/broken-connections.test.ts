// Breaks connections to PostgreSQL at every step of a transaction, and in reads, while logs are pushed, objects change, files are
// uploaded and queries run by schedule. Whatever was acknowledged is there, whatever was refused is not, the audit trail is
// proven, no lock stays taken, and the service stops.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { type Fault, type PostgresProxy, startPostgresProxy } from '#test/support/postgres-proxy.ts';
import { databases, type Service, startService } from '#test/support/service.ts';
import { named, verdictOn } from '#test/support/tampering.ts';
import { until } from '#test/support/until.ts';
import { type Actor, changes, pushes, schedules, uploads } from './connection-actors.ts';
import { report, roundsOf } from './rounds.ts';

/** Each round breaks connections at all points, where other suites kill once. */
const ROUNDS = roundsOf('connections');

/** Comes by itself only where another one has ended. */
const NEW = 'a new connection';
const CUTS: Readonly<Record<string, RegExp>> = {
  [NEW]: /pg_backend_pid/,
  'a begin': /^begin;/,
  'a savepoint': /^savepoint/,
  'a change': /^(insert|update|delete)/,
  'a read': /^select/,
  'an audit entry': /^insert into audit_entries/,
  'the release of a unit': /^release/,
  'the undoing of a unit': /^rollback to/,
  'a commit': /commit$/,
};
const CUT_COUNT = Object.keys(CUTS).length;
/** What nobody notices before a limit of half a minute has passed is broken in tests of the store alone. */
const FAULTS: readonly Fault[] = ['unsent', 'unanswered', 'forgotten'];
const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('Connections to PostgreSQL that break', () => {
  it(`lose nothing over ${ROUNDS} rounds`, async () => {
    const database = await createMetadataDatabase(`c_${newGuid().replaceAll('-', '')}`);
    await using proxy = await startPostgresProxy(database);
    await using service = await startService({ flags: { database: proxy.url } });
    const actors = [changes('one'), changes('two'), pushes(), uploads(), schedules()];
    for (const actor of actors) await actor.prepare(service);
    for (let round = 0; round < ROUNDS; round += 1) {
      await work(service, proxy, actors);
      await ready(service);
      const total = { acknowledged: 0, found: 0 };
      for (const actor of actors) {
        const { acknowledged, found } = await actor.check(service);
        total.acknowledged += acknowledged;
        total.found += found;
      }
      report({ suite: 'connections', round, kill: `connections at ${CUT_COUNT} steps of transactions`, ...total });
    }
    await service.stop();
    expect(named(await verdictOn(service.config))).toBe('nothing');
    await expect.poll(() => locksHeld(database)).toBe(0);
  });
});

/** Everybody works until connections have been broken at all points. */
async function work(service: Service, proxy: PostgresProxy, actors: readonly Actor[]): Promise<void> {
  let isOver = false;
  const working = actors.map(async (actor) => {
    while (!isOver) await actor.act(service);
  });
  const breaking = breakEverywhere(proxy);
  try {
    await Promise.race([breaking, Promise.all(working)]);
  } finally {
    isOver = true;
    proxy.disarm();
  }
  await Promise.all([...working, breaking]);
}

async function breakEverywhere(proxy: PostgresProxy): Promise<void> {
  for (const [cut, question] of Object.entries(CUTS).toSorted(() => Math.random() - 0.5)) {
    const breaking = proxy.breakAt(question, oneOf(FAULTS));
    if (cut === NEW) proxy.breakAll();
    await breaking;
    await sleep(Math.random() * 100);
  }
}

async function ready(service: Service): Promise<void> {
  const answer = await until(
    () => service.call('GET', '/readyz'),
    ({ status }) => status === 200,
  );
  expect(answer.json).toEqual({ status: 'ready', checks: expect.objectContaining({ store: 'ok' }) });
}

async function locksHeld(database: string): Promise<number> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::integer as held from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and d.datname = current_database()`,
  );
  await client.end();
  return rows[0].held;
}

function oneOf<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
