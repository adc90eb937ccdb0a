// DELETE /upload-streams: administrators remove uploads, whatever address they came from.

import { beforeAll, expect, it } from 'vitest';
import { createTeam, type Team } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { slowRequest } from '#test/support/slow-request.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { append, BYTES_TYPE, createTable, opened, STREAMS, TUS } from '#test/support/uploads.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const STREAM = { file_name: 'cards.ndjson', file_size: 10, metadata: { table: 'web' } };
const absent = (id: string) => ({ id, reason: 'upload-stream-not-found' });

onEachDatabase(
  'Removing uploads',
  (subject) => {
    const { call } = subject;
    let [ours, theirs] = [] as unknown as [Team, Team]; // Before any test looks.
    beforeAll(async () => {
      await createTable(subject, 'web');
      [ours, theirs] = [await createTeam(subject, 'ours'), await createTeam(subject, 'theirs')];
    });
    const open = (key: string, address = '203.0.113.1') =>
      opened(subject, STREAM, { key, headers: { 'x-forwarded-for': address } });
    const remove = (key: string, tokens: string | readonly string[], options = {}) =>
      call('DELETE', STREAMS, { key, json: { tokens }, ...options });
    const listed = async (key: string) => {
      const { json } = await call('GET', STREAMS, { key });
      return json.streams.map(({ token }: { token: string }) => token).toSorted();
    };

    it('is for administrators, each for the accounts of its company; a MASTER removes any', async () => {
      const own = await open(ours.admin.key);
      const other = await open(theirs.admin.key);
      expect(outcome(await remove(ours.member.key, own))).toEqual(NO_PERMISSION);
      expect(await listed(ours.admin.key)).toEqual([own]);
      expect((await call('GET', `${STREAMS}/${other}`, { key: ours.admin.key })).json).toEqual({ stream: null });
      expect(outcome(await remove(ours.admin.key, [own.toUpperCase(), other, own, NOWHERE, 'x']))).toEqual([
        200,
        { failures: [absent(other), absent(NOWHERE), absent('x')] },
      ]);
      expect(await listed(ours.admin.key)).toEqual([]);
      expect(await listed(theirs.admin.key)).toEqual([other]);
      const entries = await entriesOf(subject, async () => {
        expect(outcome(await call('DELETE', `${STREAMS}?tokens=${other},x`))).toEqual([
          200,
          { failures: [absent('x')] },
        ]);
      });
      expect(entries).toMatchObject([
        {
          module: 'upload-streams',
          method: 'remove',
          action: 'Remove uploads',
          msg: 'Removal of uploads cards.ndjson; failed: 1',
          result: 'Partial success',
          params: { tokens: `${other},x` },
          msg_params: { succeeded: 1, failed: 1, objects: [{ guid: other, name: 'cards.ndjson' }] },
        },
      ]);
    });

    it('complains about nothing given, and answers a tus client as such', async () => {
      const missing = refused(400, 'null-argument', 'tokens should be not null');
      expect(outcome(await call('DELETE', STREAMS))).toEqual(missing);
      const answer = await call('DELETE', `${STREAMS}?tokens=x`, { headers: TUS });
      expect([answer.status, answer.headers.get('tus-resumable')]).toEqual([200, '1.0.0']);
    });

    it('ends what is being sent to it', async () => {
      const token = await open(ours.admin.key, '127.0.0.1');
      const url = `${subject.service.url}${STREAMS}/${token}`;
      const headers = { ...TUS, 'upload-offset': '0', 'content-type': BYTES_TYPE, 'content-length': '10' };
      const sending = slowRequest(url, 'PATCH', { headers });
      await sending.write('12345');
      // Once it is known how far it is, it is at work.
      const probe = () => call('HEAD', `${STREAMS}/${token}`, { key: null, headers: TUS });
      let offset = (await probe()).headers.get('upload-offset');
      while (offset !== '5') offset = (await probe()).headers.get('upload-offset');
      expect(outcome(await remove(ours.admin.key, token))).toEqual([200, { failures: [] }]);
      const { status, json } = await sending.answer;
      expect([status, json]).toEqual([
        404,
        { error_code: 'illegal-state', error_msg: `upload stream not found: ${token}` },
      ]);
      const late = await append(subject, token, { offset: 5, body: '67890' });
      expect(late.status).toBe(404);
      expect((await probe()).status).toBe(404);
    });
  },
  { flags: { 'trusted-proxies': '127.0.0.1' } },
);
