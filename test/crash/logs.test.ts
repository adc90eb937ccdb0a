// Kills the service at random moments while logs come in, are sealed, merged, removed by day or by retention and dropped
// with their tables, and then holds everything that was acknowledged against what can be read. VIGIL_CRASH_ROUNDS says
// how often; `npm run test:crash` does it for long.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { strayFiles } from '#test/support/data-folder.ts';
import { type Home, makeHome } from '#test/support/process.ts';
import { MASTER_KEY, send } from '#test/support/service.ts';
import { type Actor, comingAndGoing, filling, partitions, retention } from './actors.ts';
import type { Caller } from './ledger.ts';

const ROUNDS = Number(process.env.VIGIL_CRASH_ROUNDS ?? 3);
const COLUMNAR = { layout: 'columnar', compression: 'snappy' };
const ROW = { layout: 'row', compression: 'deflate' };
const PROFILE = 'cccccccc-0000-4000-8000-00000000000c';
const ENCRYPTED = { crypto_profile_guid: PROFILE, encryption: 'true' };
const CHECKED = { crypto_profile_guid: PROFILE };
/** Small segments and frequent rounds, so that every kill falls into some step. */
const HASTE = {
  VIGIL_MASTER_KEY: MASTER_KEY,
  VIGIL_SEGMENT_ROWS: '40',
  VIGIL_SEAL_AFTER: '1',
  VIGIL_MAINTENANCE_PERIOD: '1',
};

it(`keeps every promise over ${ROUNDS} kills`, { timeout: 60_000 + ROUNDS * 15_000 }, async () => {
  using home = makeHome();
  const sequence = { next: 0 };
  const actors = [
    filling('filled_columnar', COLUMNAR, sequence),
    filling('filled_row', ROW, sequence),
    partitions('days_columnar', COLUMNAR, sequence),
    partitions('days_row', ROW, sequence),
    retention('old_columnar', COLUMNAR, sequence),
    retention('old_row', ROW, sequence),
    filling('filled_encrypted', ENCRYPTED, sequence),
    partitions('days_checked', CHECKED, sequence),
    comingAndGoing('churn', sequence),
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    await workUntilKilled(home, actors, round === 0);
    if (Math.random() < 0.3) await killWhileStarting(home);
    await check(home, actors);
  }
});

async function workUntilKilled(home: Home, actors: readonly Actor[], isFirst: boolean): Promise<void> {
  const started = home.serve(HASTE);
  const service = callerOf(await started.ready());
  if (isFirst) await created(service, '/api/core/crypto-profiles', { guid: PROFILE, name: 'crash' });
  if (isFirst) for (const actor of actors) await actor.prepare(service);
  const stop = new AbortController();
  const working = actors.map((actor) => actor.work(service, stop.signal).catch((error: unknown) => error));
  await sleep(200 + Math.random() * 2800);
  started.child.kill('SIGKILL');
  await once(started.child, 'close');
  stop.abort();
  // All of them end because nobody answers any more; any other reason is what this test looks for.
  for (const reason of await Promise.all(working)) if (!isDisconnection(reason)) throw reason;
}

const isDisconnection = (reason: unknown) =>
  reason === undefined || (reason instanceof TypeError && ['fetch failed', 'terminated'].includes(reason.message));

async function killWhileStarting(home: Home): Promise<void> {
  const { child } = home.serve(HASTE);
  await sleep(Math.random() * 1500);
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** A clean start must read exactly what was acknowledged, at most with what was under way, and leave no stray file. */
async function check(home: Home, actors: readonly Actor[]): Promise<void> {
  const started = home.serve();
  const service = callerOf(await started.ready());
  expect(strayFiles(home.folder)).toEqual([]);
  for (const actor of actors) await actor.check(service);
  started.child.kill('SIGTERM');
  expect(await started.exited(), started.output().stderr).toBe(0);
}

const callerOf = (url: string): Caller => ({ call: (method, path, options) => send(`${url}${path}`, method, options) });
