// Tables under key through their whole life: filled by pushes and uploads, sealed, merged, thinned out, dropped; with
// keys of both lengths, given and made.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { upload } from '#test/support/uploads.ts';
import { everythingKept } from '#test/support/written-data.ts';

const PROFILES = '/api/core/crypto-profiles';
const SECRET = 'xyzzy-value-of-a-card';
const KEYS = [
  { name: 'made-128', algorithm: 'aes-128-gcm' },
  { name: 'made-256', algorithm: 'aes-256-gcm' },
  { name: 'given-128', algorithm: 'aes-128-gcm', key: Buffer.alloc(16, 7).toString('base64') },
  { name: 'given-256', algorithm: 'aes-256-gcm', key: Buffer.alloc(32, 7).toString('base64') },
];
const DAYS = ['2024-02-27', '2024-02-28', '2024-02-29'];

onEachDatabase(
  'A table under key',
  (subject) => {
    const { call, clock } = subject;
    const count = async (table: string) => (await rowsOf(subject, `table ${table} | stats count`))[0].count;
    const hits = async () => (await everythingKept(subject.service)).filter((bytes) => bytes.includes(SECRET)).length;
    const tables = () => join(subject.service.config.data, 'tables');
    const files = (table: string) =>
      readdirSync(tables(), { recursive: true, encoding: 'utf8' }).filter(
        (name) => name.startsWith(`${table}.`) && name.endsWith('.parquet'),
      );

    it.each(KEYS)('lives from its first record to its drop: $name', async (form) => {
      const profile = await created(subject, PROFILES, form);
      const table = `t_${form.name.replace('-', '_')}`;
      const storage = { crypto_profile_guid: profile, encryption: 'true' };
      const logger = await createLogger(subject, { table, storage });
      const lines = DAYS.map((day) => JSON.stringify({ _time: `${day} 12:00:00+0000`, text: SECRET })).join('\n');
      for (let round = 0; round < 3; round += 1) {
        expect((await push(subject, logger, { body: lines })).json.accepted).toBe(3);
        const csv = `_time,text,n\n${DAYS.map((day) => `${day} 13:00:00+0000,${SECRET},"x"\n`).join('')}${SECRET}\n`;
        const { json } = await upload(subject, csv, { metadata: { table, format: 'csv' } });
        expect(json).toEqual({ accepted: 3, rejected: [{ line: 5, reason: 'parse-failed' }], rejected_count: 1 });
        clock.advance({ minutes: 6 });
        await until(
          async () => {
            clock.advance({ seconds: 10 });
            return files(table).length;
          },
          (total) => total >= 3,
        );
      }
      expect(await count(table)).toBe(18);
      for (const row of await rowsOf(subject, `table ${table}`)) expect(row.text).toBe(SECRET);
      for (const name of files(table)) {
        expect(readFileSync(join(tables(), name)).includes('PAR1'), name).toBe(false);
      }
      const { table: record } = (await call('GET', `/api/core/tables/${table}`)).json;
      expect(record).toMatchObject({ encrypted: true, crypto_profile_guid: profile, crypto_profile_name: form.name });
      expect(record).toMatchObject({ min_day: '2024-02-27 00:00:00+0000', max_day: '2024-02-29 00:00:00+0000' });

      const removal = { start: DAYS[1] ?? '', end: DAYS[1] ?? '' };
      expect((await call('DELETE', `/api/core/tables/${table}/partitions`, { form: removal })).json).toEqual({});
      expect(await count(table)).toBe(12);
      await subject.service.restart();
      expect(await count(table)).toBe(12);
      expect((await rowsOf(subject, `table ${table}`)).length).toBe(12);
      expect(await hits()).toBe(0);

      expect((await call('DELETE', PROFILES, { form: { guids: profile } })).json.failures).toEqual([
        { id: profile, reason: 'crypto-profile-in-use' },
      ]);
      await call('DELETE', '/api/core/loggers', { form: { guids: logger, drop_table: 'true' } });
      const left = await until(
        async () => files(table),
        (names) => names.length === 0,
      );
      expect(left).toEqual([]);
      expect((await call('DELETE', PROFILES, { form: { guids: profile } })).json).toEqual({ failures: [] });
      expect(await hits()).toBe(0);
    });

    it('loses its old days to its retention', async () => {
      const profile = await created(subject, PROFILES, { name: 'kept for a while' });
      const form = { table: 'short', crypto_profile_guid: profile, encryption: 'true', retention: '2' };
      expect((await call('POST', '/api/core/tables', { form })).status).toBe(200);
      const old = JSON.stringify({ _time: '2024-02-01 00:00:00+0000', text: SECRET });
      const now = JSON.stringify({ text: SECRET });
      await upload(subject, `${old}\n${now}`, { metadata: { table: 'short' } });
      const left = await until(
        async () => {
          clock.advance({ minutes: 1 });
          return await count('short');
        },
        (total) => total === 1,
      );
      expect(left).toBe(1);
      expect(await hits()).toBe(0);
    });

    it('is shown to a MEMBER that may read it, which may not see or make profiles', async () => {
      const profile = await created(subject, PROFILES, { name: 'shared' });
      const form = { table: 'shared', crypto_profile_guid: profile, encryption: 'true' };
      await call('POST', '/api/core/tables', { form });
      const member = await createAccount(subject, 'MEMBER', { login: 'kim' });
      const grant = { shared_users: [{ guid: member.guid, read_only: false }] };
      await call('PUT', '/api/core/tables/shared', { json: grant });
      await call('PUT', `${PROFILES}/${profile}`, { form: { name: 'renamed' } });
      const { json } = await call('GET', '/api/core/tables', { key: member.key });
      expect(json).toMatchObject({ total_count: 1 });
      expect(json.tables[0]).toMatchObject({
        encrypted: true,
        crypto_profile_guid: profile,
        crypto_profile_name: 'renamed',
      });
      const forbidden = refused(500, 'illegal-state', 'no-permission');
      expect(outcome(await call('GET', PROFILES, { key: member.key }))).toEqual(forbidden);
      expect(outcome(await call('GET', `${PROFILES}/${profile}`, { key: member.key }))).toEqual(forbidden);
    });

    it('must have a profile', async () => {
      const make = async (form: Record<string, string>) => outcome(await call('POST', '/api/core/tables', { form }));
      const nowhere = '00000000-0000-4000-8000-000000000000';
      const missing = refused(400, 'null-argument', 'crypto_profile_guid should be not null');
      expect(await make({ table: 'x', encryption: 'true' })).toEqual(missing);
      expect(await make({ table: 'x', encryption: 'true', crypto_profile_guid: '' })).toEqual(missing);
      expect(await make({ table: 'x', encryption: 'true', crypto_profile_guid: nowhere })).toEqual(
        refused(500, 'illegal-state', `crypto profile not found: ${nowhere}`),
      );
      expect(await make({ table: 'x', encryption: 'yes', crypto_profile_guid: nowhere })).toEqual(
        refused(400, 'invalid-param-type', 'encryption should be boolean type'),
      );
    });
  },
  { flags: { 'maintenance-period': '10' } },
);
