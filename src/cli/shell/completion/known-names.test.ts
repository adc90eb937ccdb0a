import { describe, expect, it } from 'vitest';
import { connect } from '#cli/kit/client.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { startQueryStandIn } from '#test/support/query-service.ts';
import { KnownNames } from './known-names.ts';

describe('Names from the service', () => {
  it('are kept for a while, each answer by itself, and asked for again afterwards', async () => {
    await using service = await startQueryStandIn({ tables: ['web'], columns: ['a', 'b'] });
    const clock = new ManualClock('2026-11-15T00:00:00Z');
    const names = new KnownNames(connected(service.url), '{}', clock);
    expect([await names.tables(), await names.tables()]).toEqual([['web'], ['web']]);
    expect([await names.fields('table web'), await names.fields('table web')]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(service.calls()).toEqual(['GET /tables', 'POST /queries/check']);
    clock.advance({ seconds: 31 });
    await names.tables();
    names.forget();
    await names.fields('table web');
    expect(service.calls().slice(2)).toEqual(['GET /tables', 'POST /queries/check']);
  });

  it('are those of the commands before the first mistake', async () => {
    const mistake = { code: 92000, message: '', begin: 22, end: 28, line: 1, column: 23, suggestion: null };
    await using service = await startQueryStandIn({
      queryErrorsOf: (text) => (text.includes('serach') ? [mistake] : []),
      columns: ['a'],
    });
    const names = new KnownNames(connected(service.url), '{"p":1}');
    expect(await names.fields('table web | limit 5 | serach x | limit 1')).toEqual(['a']);
    expect(service.heard.map(({ body }) => JSON.parse(body))).toEqual([
      { q: 'table web | limit 5 | serach x | limit 1', params: '{"p":1}' },
      { q: 'table web | limit 5 ', params: '{"p":1}' },
    ]);
  });

  it('are none where the service does not answer, or not in time', async () => {
    expect(await new KnownNames(connected('http://127.0.0.1:9'), '{}').tables()).toEqual([]);
    const clock = new ManualClock('2026-11-15T00:00:00Z');
    const never = { ...connected('http://127.0.0.1:9'), get: () => new Promise<never>(() => undefined) };
    const asked = new KnownNames(never, '{}', clock).tables();
    clock.advance({ seconds: 3 });
    expect(await asked).toEqual([]);
  });
});

const connected = (url: string) => connect({ flags: { url }, environment: { VIGIL_KEY: 'vgl_key' } });
