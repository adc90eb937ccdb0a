// Hostile requests to a service of its own process, one at a time: each is answered clearly, none holds the main thread, and none
// takes its memory. `npm run test:hostile` holds the thread to 100 milliseconds; here to what no busy machine makes of that.
// VIGIL_HOSTILE_ONLY keeps it to requests with a text in their names.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SENDER_NAMES } from '#senders/names.ts';
import { createLogger } from '#test/support/logs.ts';
import { type Home, makeHome, type VigilProcess } from '#test/support/process.ts';
import { MASTER_KEY, send } from '#test/support/service.ts';
import { TRANSPORTS, transportVariables } from '#test/support/tls.ts';
import { PROBE, probed } from './holders.ts';
import { hostileLogs } from './hostile-logs.ts';
import { hostileMaps } from './hostile-maps.ts';
import { type HostileRequest, hostileRequests, type World } from './hostile-requests.ts';
import { hostileSenders, manyRecords } from './hostile-senders.ts';

const IS_LONG = process.env.VIGIL_HOSTILE_AT_ONCE !== undefined;
const ONLY = process.env.VIGIL_HOSTILE_ONLY ?? '';
const MAX_HELD_MS = IS_LONG ? 100 : 500;
/** Of resident memory, once all have come. What is held at once is 256 MiB, and a garbage collector takes its time. */
const MAX_GROWN_BYTES = 1024 * 1024 * 1024;
const SENDERS = { VIGIL_SENDERS: SENDER_NAMES.join(','), VIGIL_SENDERS_TABLE: 'sent' };

describe.each(TRANSPORTS)('Hostile requests over %s', (transport) => {
  let home: Home;
  let running: VigilProcess;
  let world: World;
  let residentBefore = 0;
  const resident = async () =>
    Number(/^vigil_process_resident_bytes (\d+)$/m.exec((await world.call('GET', '/metrics')).text)?.[1]);

  beforeAll(async () => {
    home = makeHome();
    const variables = { VIGIL_MASTER_KEY: MASTER_KEY, ...SENDERS, ...transportVariables(transport) };
    running = home.serve(variables, { probe: PROBE });
    const url = await running.ready();
    const call: World['call'] = (method, path, how) => send(`${url}${path}`, method, how);
    const logger = await createLogger({ call }, { table: 'pushed' });
    const textLogger = await createLogger({ call }, { table: 'texts', parser: 'text' });
    await call('POST', '/api/core/tables', { form: { table: 'sent' } });
    world = { url, call, logger, textLogger };
    await call('GET', `/api/core/query?q=${encodeURIComponent('json "{}"')}`);
    residentBefore = await resident();
  });
  afterAll(() => home[Symbol.dispose]());

  const chosen = (requests: readonly HostileRequest[]) => requests.filter((request) => request.it.includes(ONLY));

  async function holdsNobody(request: HostileRequest): Promise<void> {
    await probed(running.child, 'begin');
    const answer = await request.send(world);
    const held = await probed(running.child, 'found');
    const told = typeof answer === 'string' ? answer : `${answer.status} ${answer.json?.error_msg ?? ''}`;
    if (IS_LONG) console.log(`${Math.round(held.longest)} ms, ${request.it}: ${told.slice(0, 100)}`);
    expect(told.slice(0, request.answers.length), told.slice(0, 200)).toBe(request.answers);
    expect(held.longest < MAX_HELD_MS ? [] : [held.longest, ...held.by]).toEqual([]);
    expect((await world.call('GET', '/readyz')).status).toBe(200);
  }

  it.each(chosen([...hostileRequests, ...hostileMaps]))('are answered, and hold up nobody: $it', holdsNobody);

  it('leave the memory of the service as it was, more or less', async () => {
    expect((await resident()) - residentBefore).toBeLessThan(MAX_GROWN_BYTES);
    const metrics = async () => (await world.call('GET', '/metrics')).text;
    await expect.poll(metrics).toContain('vigil_http_body_bytes 0\n');
    expect(await metrics()).toContain('vigil_defects_total 0\n');
  });

  // After the memory was looked at: what is accepted is fresh, and stays in it until it is sealed.
  const logs = [...hostileLogs, ...hostileSenders, ...(IS_LONG ? manyRecords : [])];
  it.each(chosen(logs))('that bring logs hold up nobody: $it', holdsNobody);
});
