// Hostile requests to a service of its own process, one at a time: each is answered clearly, none holds the main thread, and none
// takes its memory. `npm run test:hostile` holds the thread to 100 milliseconds; here to what no busy machine makes of that.
// VIGIL_HOSTILE_ONLY keeps it to requests with a text in their names.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '#test/support/logs.ts';
import { type Home, makeHome, type VigilProcess } from '#test/support/process.ts';
import { MASTER_KEY, send } from '#test/support/service.ts';
import { PROBE, probed } from './holders.ts';
import { hostileMaps } from './hostile-maps.ts';
import { hostileRequests, type World } from './hostile-requests.ts';

const IS_LONG = process.env.VIGIL_HOSTILE_AT_ONCE !== undefined;
const ONLY = process.env.VIGIL_HOSTILE_ONLY ?? '';
const HELD_MOST_MS = IS_LONG ? 100 : 500;
/**
 * Of resident memory, once all have come. What is held at once is 256 MiB, and a garbage collector takes its time; what was
 * accepted is fresh, and stays in memory until it is sealed.
 */
const GROWN_MOST_BYTES = 2 * 1024 * 1024 * 1024;

describe('Hostile requests', () => {
  let home: Home;
  let running: VigilProcess;
  let world: World;
  let residentBefore = 0;
  const resident = async () =>
    Number(/^vigil_process_resident_bytes (\d+)$/m.exec((await world.call('GET', '/metrics')).text)?.[1]);

  beforeAll(async () => {
    home = makeHome();
    running = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY }, { probe: PROBE });
    const url = await running.ready();
    const call: World['call'] = (method, path, how) => send(`${url}${path}`, method, how);
    const logger = await createLogger({ call }, { table: 'pushed' });
    const textLogger = await createLogger({ call }, { table: 'texts', parser: 'text' });
    world = { url, call, logger, textLogger };
    await call('GET', `/api/core/query?q=${encodeURIComponent('json "{}"')}`);
    residentBefore = await resident();
  }, 120_000);
  afterAll(() => home[Symbol.dispose]());

  const chosen = [...hostileRequests, ...hostileMaps].filter((request) => request.it.includes(ONLY));
  it.each(chosen)('are answered, and hold up nobody: $it', { timeout: 120_000 }, async (request) => {
    await probed(running.child, 'begin');
    const answer = await request.send(world);
    const held = await probed(running.child, 'found');
    const told = typeof answer === 'string' ? answer : `${answer.status} ${answer.json?.error_msg ?? ''}`;
    if (IS_LONG) console.log(`${Math.round(held.longest)} ms, ${request.it}: ${told.slice(0, 100)}`);
    expect(told.slice(0, request.answers.length)).toBe(request.answers);
    expect(held.longest < HELD_MOST_MS ? [] : [held.longest, ...held.by]).toEqual([]);
    expect((await world.call('GET', '/readyz')).status).toBe(200);
  });

  it('leave the memory of the service as it was, more or less', async () => {
    expect((await resident()) - residentBefore).toBeLessThan(GROWN_MOST_BYTES);
    const { text } = await world.call('GET', '/metrics');
    expect(text).toContain('vigil_http_body_bytes 0\n');
    expect(text).toContain('vigil_defects_total 0\n');
  });
});
