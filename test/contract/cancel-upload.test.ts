// Cancel upload as a client of the published interface meets it: nothing but the wire.

import { beforeAll, describe, expect, it } from 'vitest';
import { entriesOf } from '#test/support/audit.ts';
import { sendBytes } from '#test/support/raw-http.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';
import { cancel, createTable, offsetOf, openByTus, opened, STREAMS, TUS } from '#test/support/uploads.ts';

const STREAM = { file_name: 'cards.ndjson', file_size: 10, metadata: { table: 'web' } };
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const gone = (token: string) => refused(500, 'illegal-state', `upload stream not found: ${token}`);

onEachDatabase('Cancel upload', (subject) => {
  const { call } = subject;
  beforeAll(() => createTable(subject, 'web'));

  it('answers 200 with an empty object, as JSON, under a request id', async () => {
    const answer = await cancel(subject, await opened(subject, STREAM));
    expect([answer.status, answer.text]).toEqual([200, '{}']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.headers.get('tus-resumable')).toBeNull();
  });

  it('takes the token from the path and from nowhere else', async () => {
    const kept = await opened(subject, STREAM);
    const removed = await opened(subject, STREAM);
    const path = `${STREAMS}/${removed}?token=${kept}&Tus-Resumable=1.0.0`;
    const answer = await call('DELETE', path, { key: null, form: { token: kept, 'Tus-Resumable': '1.0.0' } });
    expect(outcome(answer)).toEqual([200, {}]);
    expect(await offsetOf(subject, kept)).toBe(0);
    expect(outcome(await call('DELETE', `${STREAMS}/x?token=${kept}`, { key: null, json: { token: kept } }))).toEqual(
      gone('x'),
    );
    expect(outcome(await cancel(subject, kept))).toEqual([200, {}]);
  });

  it('reads a token in any case of its letters', async () => {
    const token = await opened(subject, STREAM);
    expect(outcome(await cancel(subject, token.toUpperCase()))).toEqual([200, {}]);
    expect(outcome(await cancel(subject, token.toUpperCase()))).toEqual(gone(token.toUpperCase()));
  });

  it.each([
    ['a slash', 'a/b'],
    ['a NUL-like escape of an escape', '%00'],
    ['a line end', 'a\r\nb'],
    ['a quote and a backslash', '"\\'],
    ['an emoji', '👾'],
    ['braces around a GUID', `{${NOWHERE}}`],
    ['blanks around a GUID', ` ${NOWHERE} `],
    ['a GUID with a full-width digit', NOWHERE.replace('4', '４')],
    ['an address of a file', '../../metadata.db'],
    ['100,000 characters of Korean', '한'.repeat(100_000)],
  ])('does not find %s, and gives the text back as it was', async (_, text) => {
    expect(outcome(await call('DELETE', `${STREAMS}/${encodeURIComponent(text)}`, { key: null }))).toEqual(gone(text));
  });

  it('looks at no Authorization, however broken, valid or often sent', async () => {
    const host = 'Host: x\r\nConnection: close\r\n';
    const headers = [
      'Authorization: Bearer\r\n',
      'Authorization: Bearer \u00ff\u00fe\r\n',
      'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n',
      `Authorization: Bearer ${'x'.repeat(8000)}\r\n`,
      'Cookie: vigil_session=stolen; vigil=1\r\nOrigin: http://evil.example\r\n',
    ];
    for (const header of headers) {
      const token = await opened(subject, STREAM);
      const request = `DELETE ${STREAMS}/${token} HTTP/1.1\r\n${host}${header}\r\n`;
      const { status, text } = await sendBytes(subject.service.url, Buffer.from(request, 'latin1'));
      expect([status, text], header.slice(0, 40)).toEqual([200, '{}']);
    }
  });

  it('answers 204 whatever Tus-Resumable says, to a stream of either kind', async () => {
    for (const version of ['1.0.0', '0.2.2', 'x']) {
      const made = await openByTus(subject, 10, { filename: 'a', table: 'web' });
      for (const token of [made.json.token, await opened(subject, STREAM)]) {
        const answer = await cancel(subject, token, { headers: { 'tus-resumable': version } });
        expect([answer.status, answer.text, answer.headers.get('tus-resumable')]).toEqual([204, '', '1.0.0']);
      }
    }
    const { json } = await openByTus(subject, 10, { filename: 'a', table: 'web' });
    expect(outcome(await cancel(subject, json.token))).toEqual([200, {}]);
  });

  it('is written down once, in the name of who opened the stream, with the address it came from', async () => {
    const token = await opened(subject, STREAM);
    const entries = await entriesOf(subject, async () => {
      await cancel(subject, token, { headers: { authorization: 'Bearer secret-of-somebody', ...TUS } });
      await cancel(subject, token);
      await cancel(subject, 'x'.repeat(100_000));
    });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      user: 'master',
      user_name: 'master',
      remote_ip: '127.0.0.1',
      module: 'upload-streams',
      method: 'cancel',
      action: 'Cancel upload',
    });
    expect(JSON.stringify(entries)).not.toContain('secret-of-somebody');
  });

  it('happens once of many at the same time', async () => {
    const token = await opened(subject, STREAM);
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(subject, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 500)]);
  });
});

describe('Where keys have a rate', () => {
  const subject = serviceFor({ flags: { 'key-rate': '1', 'key-burst': '5' } });

  it('cancelling neither is limited by it nor uses it up', async () => {
    await createTable(subject, 'web');
    for (let round = 0; round < 20; round += 1) {
      expect(outcome(await subject.call('DELETE', `${STREAMS}/${NOWHERE}`))).toEqual(gone(NOWHERE));
    }
    expect((await subject.call('GET', STREAMS)).status).toBe(200);
  });
});
