// What decoded records take counts against the budget of bodies: names of their own make a small body large.

import { describe, expect, it } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { serviceFor } from '#test/support/suites.ts';
import { createTable } from '#test/support/uploads.ts';

const RECORDS = 20_000;
const alike = Array.from({ length: RECORDS }, (_, at) => `{"same":${at}}`);
/** More names than the scanner of lines learns. */
const distinct = Array.from({ length: RECORDS }, (_, at) => `{"k${at}":1}`);

describe('Records of many distinct names', () => {
  const subject = serviceFor({ flags: { 'bodies-limit': String(8 * 1024 * 1024), senders: 'elasticsearch' } });

  it('count with what they take in memory: too many get 429, and as many alike are stored', async () => {
    await createTable(subject, 'web');
    const push = (type: string, body: string) =>
      subject.call('POST', '/api/core/tables/web/logs', { headers: { 'content-type': type }, body });
    const lines = 'application/x-ndjson';
    expect((await push(lines, distinct.join('\n'))).status).toBe(429);
    expect((await push('application/json', `[${distinct.join(',')}]`)).status).toBe(429);
    expect(await rowsOf(subject, 'table web | stats count')).toEqual([{ count: 0 }]);
    expect((await push(lines, alike.join('\n'))).json).toMatchObject({ accepted: RECORDS });
    expect((await push(lines, distinct.slice(0, 2000).join('\n'))).json).toMatchObject({ accepted: 2000 });
  });

  it('count in the same way when a sender brings them', async () => {
    await createTable(subject, 'sent');
    const bulk = (records: readonly string[]) =>
      subject.call('POST', '/sent/_bulk', {
        headers: { 'content-type': 'application/x-ndjson' },
        body: records.map((record) => `{"create":{}}\n${record}\n`).join(''),
      });
    const { status, json } = await bulk(distinct);
    expect([status, json.items?.[0]?.create?.status ?? status]).toEqual([200, 429]);
    expect((await bulk(alike)).json).toMatchObject({ errors: false });
    expect(await rowsOf(subject, 'table sent | stats count')).toEqual([{ count: RECORDS }]);
  });
});
