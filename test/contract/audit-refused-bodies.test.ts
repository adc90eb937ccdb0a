// What the entry of a refused call keeps of a body that nobody read: what had come with the headers, and no wait for more.

import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { sendBytes, sendUnfinished } from '#test/support/raw-http.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const PROFILES = '/api/core/crypto-profiles';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

onEachDatabase(
  'The entry of a call that was refused before its body was read',
  (subject) => {
    let member: Account;
    beforeAll(async () => {
      member = await createAccount(subject, 'MEMBER', { login: 'm' });
    });

    interface Sent {
      readonly line?: string;
      readonly type: string;
      readonly body: string;
      /** Bytes that are announced; more than are sent means that the rest never comes. */
      readonly length?: number;
      readonly key?: string;
    }
    const refused = async ({ line = `POST ${PROFILES}`, type, body, length, key = member.key }: Sent) => {
      const entries = await entriesOf(subject, async () => {
        const head = `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n`;
        const lengths = `Content-Type: ${type}\r\nContent-Length: ${length ?? Buffer.byteLength(body)}\r\n\r\n`;
        const send = length === undefined ? sendBytes : sendUnfinished;
        expect((await send(subject.service.url, `${head}${lengths}${body}`)).status).toBeGreaterThanOrEqual(400);
      });
      expect(entries).toHaveLength(1);
      return entries[0];
    };

    it.each([
      ['a form', { type: FORM_TYPE, body: 'name=%ED%95%9C&x=1' }, { name: '한' }],
      ['JSON', { type: JSON_TYPE, body: '{"name":"한","x":1}' }, { name: '한' }],
      [
        'a form without its end',
        { type: FORM_TYPE, body: 'description=d&name=on%E', length: 1000 },
        { description: 'd' },
      ],
      ['JSON without its end', { type: JSON_TYPE, body: '{"name":"a","description":"b', length: 1000 }, { name: 'a' }],
      ['a wrong pair beside a good one', { type: FORM_TYPE, body: 'name=a&description=%zz' }, { name: 'a' }],
      ['JSON that is none', { type: JSON_TYPE, body: '[1,2' }, undefined],
      ['another type', { type: 'text/plain', body: 'name=a' }, undefined],
      ['text in another charset', { type: `${FORM_TYPE}; charset=euc-kr`, body: 'name=a' }, undefined],
    ])('has of %s what can be read', async (_, sent, params) => {
      const entry = await refused(sent);
      expect(entry).toMatchObject({ module: 'crypto-profiles', method: 'create', error: 'no-permission' });
      expect(entry.params).toEqual(params && expect.objectContaining(params));
    });

    it('has query string and path, and the object that they name', async () => {
      const line = `DELETE ${PROFILES}?guids=${NOWHERE}`;
      expect(await refused({ line, type: FORM_TYPE, body: 'x=1' })).toMatchObject({ params: { guids: NOWHERE } });
      const changed = await refused({ line: `PUT ${PROFILES}/${NOWHERE}`, type: FORM_TYPE, body: 'name=a' });
      expect(changed).toMatchObject({ params: { guid: NOWHERE, name: 'a' }, msg_params: { guid: NOWHERE } });
    });

    it('has no secret', async () => {
      for (const [type, body] of [
        [FORM_TYPE, 'name=a&key=hidden-value'],
        [JSON_TYPE, '{"name":"a","key":"hidden-value"}'],
      ] as const) {
        const entry = await refused({ type, body });
        expect(entry.params).toEqual({ name: 'a', key: '***' });
        expect(JSON.stringify(entry)).not.toContain('hidden');
      }
    });

    it('has no more than the first 8 KiB', async () => {
      const body = `name=a&${'x'.repeat(8192)}&description=late`;
      expect((await refused({ type: FORM_TYPE, body })).params).toEqual({ name: 'a' });
      const json = JSON.stringify({ name: 'a', x: 'x'.repeat(8192), description: 'late' });
      expect((await refused({ type: JSON_TYPE, body: json })).params).toEqual({ name: 'a' });
    });

    it('has it also where the body was refused', async () => {
      const key = 'vgl_test-master-key-0123456789abcdefghij';
      const large = await refused({ key, type: FORM_TYPE, body: `name=large&x=${'x'.repeat(3000)}` });
      expect(large).toMatchObject({ error: expect.stringContaining('2048 bytes'), params: { name: 'large' } });
      const wrong = await refused({ key, type: FORM_TYPE, body: 'name=wrong&description=%zz' });
      expect(wrong).toMatchObject({ error: 'malformed request body', params: { name: 'wrong' } });
    });

    it('leaves a body that is read as it was', async () => {
      const body = { name: 'whole', description: 'd'.repeat(1500) };
      const { json } = await subject.call('POST', PROFILES, { json: body });
      const { json: read } = await subject.call('GET', `${PROFILES}/${json.guid}`);
      expect(read.profile).toMatchObject(body);
    });
  },
  { flags: { 'body-limit': '2048' } },
);
