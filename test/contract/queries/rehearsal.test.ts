// The queries that a service runs for itself, so that those of people are fast from the beginning: nobody sees them.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { TEXTS } from '#queries/check/rehearsal.ts';
import { LiveQueries } from '#queries/live-queries.ts';
import { entriesOf } from '#test/support/audit.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { ask, QUERIES, ran } from '#test/support/queries.ts';
import { startService } from '#test/support/service.ts';
import { BEGINNING } from '#test/support/suites.ts';

const NEVER = new AbortController().signal;

describe('A rehearsal', () => {
  it('waits until somebody uses the service', async () => {
    const clock = new ManualClock(BEGINNING);
    await using service = await startService({ alone: 'node', clock });
    const practise = vi.spyOn(LiveQueries.prototype, 'practise');
    const stop = new AbortController();
    const rehearsed = service.app.practise(stop.signal);
    const pass = async () => {
      clock.advance({ seconds: 1 });
      await service.call('GET', '/healthz', { key: null });
      return practise.mock.calls.length;
    };
    for (let second = 0; second < 10; second += 1) expect(await pass()).toBe(0);
    await service.call('GET', QUERIES);
    await expect.poll(pass).toBeGreaterThan(0);
    stop.abort();
    await rehearsed;
  });

  it('leaves no query, no id and no audit entry behind', async () => {
    await using service = await startService({ alone: 'node' });
    const first = await ran(service, 'json "{a:1}"');
    expect(await entriesOf(service, () => service.app.practise(NEVER))).toEqual([]);
    expect((await service.call('GET', QUERIES)).json.queries).toHaveLength(1);
    const metrics = (await service.call('GET', '/metrics', { key: null })).text;
    expect(metrics).toMatch(/^vigil_queries_finished_total\{[^}]*state="succeeded"[^}]*\} 1$/m);
    expect(metrics).not.toMatch(/^vigil_queries_finished_total\{source="system"/m);
    expect((await ran(service, 'json "{a:1}"')).id).toBe(first.id + 1);
  });

  it('takes no place of a query', async () => {
    const flags = { 'queries-in-all': '1', 'queries-waiting-in-all': '0' };
    await using service = await startService({ alone: 'node', flags });
    await service.call('GET', QUERIES);
    const rehearsed = service.app.practise(NEVER);
    for (let count = 0; count < 50; count += 1) {
      const { status, text } = await ask(service, { q: 'json "{a:1}"' });
      expect(status, text).toBe(200);
    }
    await rehearsed;
  });

  it.each(TEXTS)('can run %s', async (text) => {
    await using service = await startService({ alone: 'node' });
    const { rows } = await ran(service, text);
    expect(rows).toBeGreaterThan(0);
  });

  it('ends with the service', async () => {
    await using service = await startService({ alone: 'node' });
    await service.call('GET', QUERIES);
    const stop = new AbortController();
    const rehearsed = service.app.practise(stop.signal).catch((error) => error);
    await sleep(300);
    stop.abort();
    await service.stop();
    await rehearsed;
  });
});
