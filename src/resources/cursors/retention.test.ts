// How long rows and status are kept: by default a day and an hour, here minutes, because a test's clock goes every step.

import { describe, expect, it } from 'vitest';
import { settings } from '#settings/index.ts';
import { ran, statusOf } from '#test/support/queries.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

describe('What is kept of a query', () => {
  const subject = serviceFor({ flags: { 'query-status-kept': '60', 'query-rows-kept': '180' } });
  const { call, clock } = subject;
  const read = (id: number) => call('GET', `/api/core/cursors/${id}`);
  const forbidden = (id: number) => refused(403, 'invalid-query-id', `cannot access query ${id}`);

  it('is by default its status for an hour, its rows for a day', () => {
    expect([settings['query-status-kept'].initial, settings['query-rows-kept'].initial]).toEqual(['3600', '86400']);
  });

  it('is its status for a while after the end, its rows for a while after they were last fetched', async () => {
    const { id } = await ran(subject, 'json "{a:1}"');
    clock.advance({ seconds: 59 });
    expect((await statusOf(subject, id)).rows).toBe(1);
    clock.advance({ seconds: 1 });
    expect(outcome(await call('GET', `/api/core/queries/${id}`))).toEqual(forbidden(id));
    expect((await call('GET', '/api/core/queries')).json.total_count).toBe(0);
    clock.advance({ seconds: 100 });
    expect((await read(id)).text).toBe('{"a":1}\n');
    clock.advance({ seconds: 179 });
    expect((await read(id)).text).toBe('{"a":1}\n');
    clock.advance({ seconds: 180 });
    expect(outcome(await read(id))).toEqual(forbidden(id));
  });

  it('is kept of rows that nobody fetches from the end on', async () => {
    const { id } = await ran(subject, 'json "{a:1}"');
    clock.advance({ seconds: 180 });
    expect(outcome(await read(id))).toEqual(forbidden(id));
    expect(outcome(await call('DELETE', `/api/core/cursors/${id}`))).toEqual(forbidden(id));
  });
});
