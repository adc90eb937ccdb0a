// Hostile queries, all at once and of two accounts, to a service of its own process. It stays up, each of them is answered clearly, and
// whoever asks, pushes or cancels beside them is served. `npm run test:hostile` sends many more, holds the health of the
// service against the clock, and runs each of them alone to see for how long it holds the main thread; here nothing is judged
// by time. VIGIL_HOSTILE_ONLY keeps that to queries with a text in them.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFailed, onTestFinished } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { push } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { hold, statusOf } from '#test/support/queries.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { fill, type Holder, holders } from './holders.ts';
import { hostileQueries } from './hostile-queries.ts';

const IS_LONG = process.env.VIGIL_HOSTILE_AT_ONCE !== undefined;
const AT_ONCE = Number(process.env.VIGIL_HOSTILE_AT_ONCE ?? hostileQueries.length);
const MAX_HEALTH_MS = 100;
const MIB = 1024 * 1024;
const SETTINGS = {
  VIGIL_MASTER_KEY: MASTER_KEY,
  VIGIL_QUERY_MEMORY: String(IS_LONG ? 1024 * MIB : 256 * MIB),
  VIGIL_QUERY_MEMORY_PER_ACCOUNT: String(IS_LONG ? 256 * MIB : 96 * MIB),
  VIGIL_QUERY_DISK: String(1024 * MIB),
  VIGIL_QUERY_DISK_PER_ACCOUNT: String(256 * MIB),
  VIGIL_QUERY_RESULT: String(64 * MIB),
  VIGIL_QUERY_TIME: IS_LONG ? '30' : '5',
};
/** What a query may end with; everything else is a defect. */
const CLEAR_CODES = [undefined, 22201, 90009, 93001, 93003, 93010, 93011];
const CLEAR_DETAIL = /^the engine failed: the (query ran for|rows of the query take) more than/;

type Asked = Pick<Service, 'call'>;

/** Milliseconds of the main thread in one turn: what a query may take of everybody, with what is unlucky beside it. */
const MAX_HELD_MS = 60;

if (IS_LONG) {
  describe('Hostile queries, one at a time', () => {
    it('do not hold the main thread', async () => {
      const only = process.env.VIGIL_HOSTILE_ONLY ?? '';
      const queries = hostileQueries.filter((query) => query.includes(only));
      const long: Holder[] = [];
      for await (const holder of holders(queries, { ...SETTINGS, VIGIL_QUERY_TIME: '5' })) {
        console.log(`${Math.round(holder.longest)} ms, ${holder.query.slice(0, 100)}: ${holder.end.slice(0, 80)}`);
        if (holder.longest > MAX_HELD_MS) long.push({ ...holder, query: holder.query.slice(0, 100) });
      }
      expect(long).toEqual([]);
    });
  });
}

describe('Hostile queries', () => {
  it('neither stop the service nor each other’s answers', async () => {
    const home = makeHome();
    onTestFinished(() => home[Symbol.dispose]());
    const running = home.serve(SETTINGS);
    onTestFailed(() => console.log(errorsIn(running.output().stderr)));
    const url = await running.ready();
    const service: Asked = { call: (method, path, how) => send(`${url}${path}`, method, how) };
    const logger = await fill(service);
    const { key } = await createAccount(service, 'ADMIN', { login: 'neighbour' });
    const { key: other } = await createAccount(service, 'ADMIN', { login: 'other' });
    // What a first query loads is loaded once in the life of a process.
    await service.call('GET', `/api/core/query?q=${encodeURIComponent('table web | limit 1')}`);
    await using health = startProber(url);
    const held = await Promise.all([hold(url), hold(url)]);

    const attackers: readonly Asked[] = [
      service,
      { call: (method, path, how) => service.call(method, path, { ...how, key: other }) },
    ];
    const opened = Promise.all(
      Array.from({ length: AT_ONCE }, async (_, at) => {
        const by = attackers[at % attackers.length] ?? service;
        const q = hostileQueries[at % hostileQueries.length] ?? '';
        return { by, answer: await by.call('POST', '/api/core/cursors', { json: { q } }) };
      }),
    );
    await neighbour(service, logger, key, 1);
    const answers = await opened;
    for (const { status, json } of answers.map(({ answer }) => answer)) {
      expect([200, 400, 429]).toContain(status);
      if (status === 400) expect(json.error_msg).toMatch(/^\((10200|90009|90202|90303)\) /);
    }
    const begun = answers.filter(({ answer }) => answer.status === 200);
    const queries = begun.map(({ by, answer }) => ({ by, id: Number(answer.json.id) }));
    await neighbour(service, logger, key, 2);
    // One in three is cancelled, all of them in the same moment.
    const cancels = queries.filter((_, at) => at % 3 === 0);
    const told = await Promise.all(cancels.map(({ by, id }) => by.call('POST', `/api/core/queries/${id}/cancel`)));
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { by, id } of queries) await clearlyEnded(by, id);
    await neighbour(service, logger, key, 3);
    for (const one of held) one.drop();

    expect(running.child.exitCode).toBeNull();
    expect((await service.call('GET', '/readyz')).status).toBe(200);
    const defects = (await service.call('GET', '/metrics')).text
      .split('\n')
      .find((line) => line.startsWith('vigil_defects'));
    expect(defects).toBe('vigil_defects_total 0');
    const found = await health.found();
    if (IS_LONG) console.log(`health: ${JSON.stringify(found)}`);
    if (IS_LONG) expect(found.longest).toBeLessThan(MAX_HEALTH_MS);
    else expect(found.longest).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});

/** What the service itself has to say about a defect. */
const errorsIn = (log: string): string =>
  log
    .split('\n')
    .filter((line) => line.includes('"level":50'))
    .join('\n');

/** Asks and pushes as if nothing were the matter. */
async function neighbour(service: Asked, logger: string, key: string, pushes: number): Promise<void> {
  expect((await push(service, logger, { body: '{"n":7}' })).json).toMatchObject({ accepted: 1 });
  const q = encodeURIComponent('table web | search n == 7 | stats count');
  const { text } = await service.call('GET', `/api/core/query?q=${q}`, { key });
  expect(text).toBe(`{"count":${pushes}}\n`);
}

async function clearlyEnded(service: Asked, id: number): Promise<void> {
  for (;;) {
    const { is_finished, error_code, error_detail } = await statusOf(service, id);
    if (is_finished) {
      if (error_code === 93000) expect(error_detail).toMatch(CLEAR_DETAIL);
      else expect(CLEAR_CODES).toContain(error_code);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function startProber(url: string) {
  const child = fork(join(import.meta.dirname, 'health-prober.ts'), [new URL(url).port]);
  return {
    async found(): Promise<{ count: number; p50: number; p99: number; longest: number }> {
      child.send('found');
      const [message] = await once(child, 'message');
      return message;
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}
