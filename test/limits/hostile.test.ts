// Hostile queries, all at once and of two accounts, to a service of its own process. It stays up, each of them is answered clearly, and
// whoever asks, pushes or cancels beside them is served. `npm run test:hostile` sends many more, and judges in processor time for how long
// they hold the main thread, all at once and each of them alone. VIGIL_HOSTILE_ONLY keeps the latter to queries with a text in them.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFailed } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { push } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { finished, hold } from '#test/support/queries.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { clientVariables, TRANSPORTS, type Transport, transportVariables } from '#test/support/tls.ts';
import type { Held } from './hold-probe.ts';
import { attemptsWithin, fill, type Holder, holders, PROBE, probed } from './holders.ts';
import { hostileQueries } from './hostile-queries.ts';

const IS_LONG = process.env.VIGIL_HOSTILE_AT_ONCE !== undefined;
const AT_ONCE = Number(process.env.VIGIL_HOSTILE_AT_ONCE ?? hostileQueries.length);
const MIB = 1024 * 1024;
const SETTINGS = {
  VIGIL_MASTER_KEY: MASTER_KEY,
  VIGIL_QUERY_MEMORY: String(IS_LONG ? 1024 * MIB : 256 * MIB),
  VIGIL_QUERY_MEMORY_PER_ACCOUNT: String(IS_LONG ? 256 * MIB : 96 * MIB),
  VIGIL_QUERY_DISK: String(1024 * MIB),
  VIGIL_QUERY_DISK_PER_ACCOUNT: String(256 * MIB),
  VIGIL_QUERY_RESULT: String(64 * MIB),
  VIGIL_QUERY_TIME: '30',
};
/** What a query may end with; everything else is a defect. */
const CLEAR_CODES = [undefined, 22201, 90009, 93001, 93003, 93010, 93011];
const CLEAR_DETAIL = /^the engine failed: the (query ran for|rows of the query take) more than/;

type Asked = Pick<Service, 'call'>;

/** Milliseconds of the main thread in one turn: what a query may take of everybody, with what is unlucky beside it. */
const MAX_HELD_MS = 60;
/** The same with all of them at once. A check of the service's health waits as long. */
const MAX_HELD_AT_ONCE_MS = 100;

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
  /** Sends all of them at once to a service of their own, and returns for how long they held its main thread. */
  async function attack(transport: Transport): Promise<Held> {
    using home = makeHome();
    const running = home.serve({ ...SETTINGS, ...transportVariables(transport) }, { probe: PROBE });
    onTestFailed(() => console.log(errorsIn(running.output().stderr)));
    const url = await running.ready();
    const service: Asked = { call: (method, path, how) => send(`${url}${path}`, method, how) };
    const logger = await fill(service);
    const { key } = await createAccount(service, 'ADMIN', { login: 'neighbour' });
    const { key: other } = await createAccount(service, 'ADMIN', { login: 'other' });
    // What a first query loads is loaded once in the life of a process.
    await service.call('GET', `/api/core/query?q=${encodeURIComponent('table web | limit 1')}`);
    await probed(running.child, 'begin');
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
    expect(await health.found()).toEqual({ healthy: expect.toSatisfy((count) => count > 0), failures: [] });
    return await probed(running.child, 'found');
  }

  it.each(TRANSPORTS)('neither stop the service nor each other’s answers, over %s', async (transport) => {
    await attemptsWithin(IS_LONG ? MAX_HELD_AT_ONCE_MS : Number.POSITIVE_INFINITY, () => attack(transport));
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
  const { error_code, error_detail } = await finished(service, id);
  if (error_code === 93000) expect(error_detail).toMatch(CLEAR_DETAIL);
  else expect(CLEAR_CODES).toContain(error_code);
}

function startProber(url: string) {
  const child = fork(join(import.meta.dirname, 'health-prober.ts'), [url], {
    env: { ...process.env, ...clientVariables() },
  });
  return {
    async found(): Promise<{ healthy: number; failures: string[] }> {
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
