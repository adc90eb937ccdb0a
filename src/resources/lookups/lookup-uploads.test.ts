import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { STREAMS } from '#test/support/uploads.ts';

const LOOKUPS = '/api/core/lookups';
const NOWHERE = '00000000-0000-4000-8000-000000000000';

onEachDatabase('An upload into a lookup', (subject) => {
  const { call } = subject;
  const open = (file: Buffer, metadata: object, name = 'rows.csv') =>
    call('POST', STREAMS, { json: { file_name: name, file_size: file.length, metadata } });
  const send = async (file: Buffer, metadata: object, name?: string) => {
    const { token } = (await open(file, metadata, name)).json;
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    };
    expect((await call('PATCH', `${STREAMS}/${token}`, { body: file, headers })).status).toBe(204);
    return { token, complete: () => call('POST', `${STREAMS}/${token}/complete`) };
  };

  it('loads a hundred thousand rows, and merges others', async () => {
    const guid = await created(subject, LOOKUPS, { name: 'hosts', key: 'ip', columns: 'ip,n' });
    const lines = Array.from({ length: 100_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255},${n}`);
    const csv = await send(Buffer.from(`ip,n\n${lines.join('\n')}\n`), { lookup: guid, format: 'csv' });
    expect(outcome(await csv.complete())).toEqual([200, { row_count: 100_000, version: 1 }]);
    expect(outcome(await csv.complete())).toEqual([200, { row_count: 100_000, version: 1 }]);
    const more = gzipSync('{"ip":"10.0.0.0","n":"x"}\n{"ip":"new"}\n');
    const merged = await send(more, { lookup: guid, mode: 'merge' }, 'more.ndjson.gz');
    expect(outcome(await merged.complete())).toEqual([200, { row_count: 100_001, version: 2 }]);
    const { rows } = (await call('GET', `${LOOKUPS}/${guid}/rows?limit=1`)).json;
    expect(rows).toEqual([{ ip: '10.0.0.0', n: 'x' }]);
  });

  it('is gone after a wrong row, and leaves the rows as they were', async () => {
    const guid = await created(subject, LOOKUPS, { name: 'wrong', key: 'ip', columns: 'ip' });
    const { token, complete } = await send(Buffer.from('ip\na\na\n'), { lookup: guid, format: 'csv' });
    expect(outcome(await complete())).toEqual(refused(400, 'invalid-argument', 'wrong lookup row 2: duplicate-key'));
    expect(outcome(await complete())).toEqual(refused(500, 'illegal-state', `upload stream not found: ${token}`));
    expect((await call('GET', `${LOOKUPS}/${guid}/rows`)).json.total_count).toBe(0);
  });

  it('names a lookup that exists, and a format of rows', async () => {
    const file = Buffer.from('x');
    expect(outcome(await open(file, { lookup: NOWHERE }))).toEqual(
      refused(500, 'illegal-state', `lookup not found: ${NOWHERE}`),
    );
    expect(outcome(await open(file, { lookup: NOWHERE, format: 'text' }))).toEqual(
      refused(400, 'invalid-argument', "metadata.format value must be one of 'ndjson', 'csv'."),
    );
    expect(outcome(await open(file, {}))).toEqual(refused(400, 'null-argument', 'metadata.table should be not null'));
  });
});
