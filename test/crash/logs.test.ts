// Kills the service at random moments while logs come in, are sealed, merged, removed by day or by retention and dropped
// with their tables, and then holds everything that was acknowledged against what can be read. `npm run test:crash` does it
// for long.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { strayFiles } from '#test/support/data-folder.ts';
import { type Home, makeHome } from '#test/support/process.ts';
import { MASTER_KEY, send } from '#test/support/service.ts';
import { type Actor, comingAndGoing, filling, partitions, retention } from './actors.ts';
import type { Caller } from './ledger.ts';
import { afterReady, report, roundsOf } from './rounds.ts';

const ROUNDS = roundsOf('logs');
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

it(`keeps every promise over ${ROUNDS} kills`, async () => {
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
    const kills = [await workUntilKilled(home, actors, round === 0)];
    const acknowledged = actors.reduce((sum, actor) => sum + actor.acknowledged(), 0);
    if (Math.random() < 0.3) kills.push(await killWhileStarting(home));
    const found = await check(home, actors);
    report({ suite: 'logs', round, kill: kills.join(', '), acknowledged, found });
  }
});

async function workUntilKilled(home: Home, actors: readonly Actor[], isFirst: boolean): Promise<string> {
  const started = home.serve(HASTE);
  const service = callerOf(await started.ready());
  if (isFirst) await created(service, '/api/core/crypto-profiles', { guid: PROFILE, name: 'crash' });
  if (isFirst) for (const actor of actors) await actor.prepare(service);
  const stop = new AbortController();
  const working = actors.map((actor) => actor.work(service, stop.signal).catch((error: unknown) => error));
  const moment = 200 + Math.random() * 2800;
  await sleep(moment);
  started.child.kill('SIGKILL');
  await once(started.child, 'close');
  stop.abort();
  // All of them end because nobody answers any more; any other reason is what this test looks for.
  for (const reason of await Promise.all(working)) if (!isDisconnection(reason)) throw reason;
  return afterReady(moment);
}

const isDisconnection = (reason: unknown) =>
  reason === undefined || (reason instanceof TypeError && ['fetch failed', 'terminated'].includes(reason.message));

async function killWhileStarting(home: Home): Promise<string> {
  const { child } = home.serve(HASTE);
  const moment = Math.random() * 1500;
  await sleep(moment);
  child.kill('SIGKILL');
  await once(child, 'close');
  return `${Math.round(moment)} ms into a start`;
}

/** A clean start must read exactly what was acknowledged, at most with what was under way, and leave no stray file. */
async function check(home: Home, actors: readonly Actor[]): Promise<number> {
  const started = home.serve();
  const service = callerOf(await started.ready());
  let found = 0;
  for (const actor of actors) found += await actor.check(service);
  // Not before: records of a journal that are being read back stand in files of their own. Files of a dropped table go soon after.
  await expect.poll(() => strayFiles(home.folder)).toEqual([]);
  started.child.kill('SIGTERM');
  expect(await started.exited(), started.output().stderr).toBe(0);
  expect(strayFiles(home.folder)).toEqual([]);
  return found;
}

const callerOf = (url: string): Caller => ({ call: (method, path, options) => send(`${url}${path}`, method, options) });
