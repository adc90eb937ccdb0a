import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';
import { everythingKept } from '#test/support/written-data.ts';

const PROFILES = '/api/core/crypto-profiles';
const TABLES = '/api/core/tables';
const GUID = 'cccccccc-0000-4000-8000-00000000000c';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const wrongType = (message: string) => refused(400, 'invalid-param-type', message);
const noName = refused(400, 'null-argument', 'name should be not null');
const wrongKey = (bytes: number) => invalid(`'key' should be ${bytes} bytes in base64.`);
const KEY = Buffer.from('0123456789abcdefghijklmnopqrstuv');
const key = KEY.toString('base64');

describe('A crypto profile is refused', () => {
  const subject = serviceFor();
  const { call } = subject;

  it.each([
    [{}, noName],
    [{ name: '' }, noName],
    [{ name: 'n'.repeat(256) }, invalid("'name' must be shorter than or equal to 255 characters.")],
    [
      { name: 'x', description: 'd'.repeat(2001) },
      invalid("'description' must be shorter than or equal to 2000 characters."),
    ],
    [
      { name: 'n'.repeat(256), description: 'd'.repeat(2001) },
      invalid("'name' must be shorter than or equal to 255 characters."),
    ],
  ])('on creation and update with %j', async (form, complaint) => {
    expect(outcome(await call('POST', PROFILES, { form }))).toEqual(complaint);
    expect(outcome(await call('PUT', `${PROFILES}/${NOWHERE}`, { form }))).toEqual(complaint);
  });

  it.each([
    [{ guid: 'x' }, wrongType('guid should be guid type.')],
    [{ name: 'x', algorithm: 'aes-192-gcm' }, invalid("algorithm value must be one of 'aes-128-gcm', 'aes-256-gcm'.")],
    [{ name: 'x', algorithm: 'AES-256-GCM' }, invalid("algorithm value must be one of 'aes-128-gcm', 'aes-256-gcm'.")],
    [
      { name: 'x', algorithm: 'des', key: 'x' },
      invalid("algorithm value must be one of 'aes-128-gcm', 'aes-256-gcm'."),
    ],
    [{ name: 'x', key: 'x' }, wrongKey(32)],
    [{ name: 'x', key: KEY.subarray(0, 31).toString('base64') }, wrongKey(32)],
    [{ name: 'x', key: KEY.subarray(0, 16).toString('base64') }, wrongKey(32)],
    [{ name: 'x', key: Buffer.concat([KEY, KEY]).toString('base64') }, wrongKey(32)],
    [{ name: 'x', key: `${key.slice(0, 10)} ${key.slice(10)}` }, wrongKey(32)],
    [{ name: 'x', key: KEY.toString('hex') }, wrongKey(32)],
    [{ name: 'x', algorithm: 'aes-128-gcm', key }, wrongKey(16)],
  ])('on creation with %j', async (form, complaint) => {
    expect(outcome(await call('POST', PROFILES, { form }))).toEqual(complaint);
    expect((await call('GET', PROFILES)).json.total_count).toBe(0);
  });

  it('for a guid that is none, or none given', async () => {
    const complaint = wrongType('guid should be guid type.');
    expect(outcome(await call('PUT', `${PROFILES}/x`))).toEqual(complaint);
    expect(outcome(await call('GET', `${PROFILES}/x`))).toEqual(complaint);
    expect(outcome(await call('DELETE', PROFILES, { form: { guids: 'x' } }))).toEqual(
      wrongType('guids should be guid type.'),
    );
    expect(outcome(await call('DELETE', PROFILES))).toEqual(refused(400, 'null-argument', 'guids should be not null'));
  });

  it('to everyone but a MASTER, reading included, and the refusal is on record', async () => {
    const admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
    const calls = [
      ['GET', PROFILES, 'read'],
      ['GET', `${PROFILES}/${GUID}`, 'read'],
      ['POST', PROFILES, 'create'],
      ['PUT', `${PROFILES}/${GUID}`, 'update'],
      ['DELETE', PROFILES, 'remove'],
    ] as const;
    for (const [method, path, action] of calls) {
      const [entry] = await entriesOf(subject, async () => {
        expect(outcome(await call(method, path, { key: admin.key }))).toEqual(NO_PERMISSION);
      });
      expect(entry).toMatchObject({ module: 'crypto-profiles', method: action, error: 'no-permission' });
    }
  });
});

onEachDatabase('A crypto profile', (subject) => {
  const { call, clock } = subject;
  const profile = async (guid: string) => (await call('GET', `${PROFILES}/${guid}`)).json.profile;
  const secretFile = () => join(subject.service.config.keys, 'master-secret');
  const removed = async (guids: string) => (await call('DELETE', PROFILES, { form: { guids } })).json;

  it('is made with its key, which nothing gives back, and leaves an entry without it', async () => {
    const form = { guid: GUID.toUpperCase(), name: '결제', description: '카드', key };
    const [entry] = await entriesOf(subject, async () => {
      expect(outcome(await call('POST', PROFILES, { form }))).toEqual([200, { guid: GUID }]);
    });
    expect(entry).toMatchObject({
      module: 'crypto-profiles',
      method: 'create',
      params: { guid: GUID.toUpperCase(), name: '결제', description: '카드', key: '***' },
      category: 'Crypto profiles',
      action: 'Create crypto profile',
      msg: 'Creation of crypto profile 결제',
    });
    const times = { created: '2024-03-01 00:00:00+0000', updated: '2024-03-01 00:00:00+0000' };
    const record = { guid: GUID, name: '결제', description: '카드', algorithm: 'aes-256-gcm', ...times };
    expect(await profile(GUID)).toStrictEqual(record);
    expect((await call('GET', PROFILES)).json).toStrictEqual({ total_count: 1, profiles: [record] });
  });

  it('brings the master secret into being, which no other one replaces', async () => {
    const secret = readFileSync(secretFile());
    expect(secret.length).toBe(32);
    expect(statSync(secretFile()).mode & 0o777).toBe(0o600);
    await created(subject, PROFILES, {
      name: 'short',
      algorithm: 'aes-128-gcm',
      key: KEY.subarray(0, 16).toString('base64'),
    });
    expect(readFileSync(secretFile()).equals(secret)).toBe(true);
    const kept = (await everythingKept(subject.service)).filter((bytes) => !bytes.equals(secret));
    for (const text of [KEY, KEY.subarray(0, 16), key, KEY.toString('hex'), secret, secret.toString('base64')]) {
      expect(kept.filter((bytes) => bytes.includes(text)).length).toBe(0);
    }
  });

  it('keeps its algorithm and its key when it is updated', async () => {
    clock.advance({ minutes: 5 });
    const form = { name: 'pay', algorithm: 'aes-128-gcm', key: 'x' };
    expect(outcome(await call('PUT', `${PROFILES}/${GUID}`, { form }))).toEqual([200, {}]);
    expect(await profile(GUID)).toStrictEqual({
      guid: GUID,
      name: 'pay',
      algorithm: 'aes-256-gcm',
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 00:05:00+0000',
    });
  });

  it('has a name and a guid of its own', async () => {
    const make = async (form: Record<string, string>) => outcome(await call('POST', PROFILES, { form }));
    expect(await make({ name: 'pay', guid: GUID })).toEqual(illegal('duplicated name: pay'));
    expect(await make({ name: 'new', guid: GUID })).toEqual(illegal(`duplicated guid: ${GUID}`));
    const change = async (guid: string, name: string) =>
      outcome(await call('PUT', `${PROFILES}/${guid}`, { form: { name } }));
    expect(await change(GUID, 'short')).toEqual(illegal('duplicated name: short'));
    expect(await change(GUID, 'pay')).toEqual([200, {}]);
    expect(await change(NOWHERE, 'short')).toEqual(illegal(`crypto profile not found: ${NOWHERE}`));
    expect(await profile(NOWHERE)).toBeNull();
  });

  it('is listed by name, in pages, and found by its name', async () => {
    const names = async (query: string) => {
      const { total_count, profiles } = (await call('GET', `${PROFILES}?${query}`)).json;
      return [total_count, profiles.map(({ name }: { name: string }) => name)];
    };
    expect(await names('')).toEqual([2, ['pay', 'short']]);
    expect(await names('offset=1')).toEqual([2, ['short']]);
    expect(await names('keywords=HOR')).toEqual([1, ['short']]);
    expect(await names('keywords=카드')).toEqual([0, []]);
  });

  it('stays while a table uses it', async () => {
    await created(subject, TABLES, { table: 'cards', crypto_profile_guid: GUID, encryption: 'true' });
    await created(subject, TABLES, { table: 'checked', crypto_profile_guid: GUID });
    expect(await removed(`${GUID},${NOWHERE}`)).toEqual({
      failures: [
        { id: GUID, reason: 'crypto-profile-in-use' },
        { id: NOWHERE, reason: 'crypto-profile-not-found' },
      ],
    });
    await call('DELETE', `${TABLES}/cards`);
    expect((await removed(GUID)).failures).toEqual([{ id: GUID, reason: 'crypto-profile-in-use' }]);
  });

  it('is shown by the tables that it encrypts, and by no other', async () => {
    await created(subject, TABLES, { table: 'cards', crypto_profile_guid: GUID, encryption: 'true' });
    const shown = (await call('GET', TABLES)).json.tables.map(
      ({ table_name, encrypted, crypto_profile_guid, crypto_profile_name }: Record<string, unknown>) => ({
        table_name,
        encrypted,
        crypto_profile_guid,
        crypto_profile_name,
      }),
    );
    expect(shown).toEqual([
      { table_name: 'cards', encrypted: true, crypto_profile_guid: GUID, crypto_profile_name: 'pay' },
      { table_name: 'checked', encrypted: false },
    ]);
    expect((await call('GET', `${TABLES}/cards`)).json.table).toMatchObject({
      encrypted: true,
      crypto_profile_guid: GUID,
      crypto_profile_name: 'pay',
      table_size: 0,
    });
  });

  it('is refused anew while its master secret is missing or another one, and the secret is not made again', async () => {
    const secret = readFileSync(secretFile());
    rmSync(secretFile());
    const make = async () => outcome(await call('POST', PROFILES, { form: { name: 'third' } }));
    expect(await make()).toEqual(illegal('master secret is missing'));
    expect(existsSync(secretFile())).toBe(false);
    writeFileSync(secretFile(), 'not a secret');
    expect(await make()).toEqual(illegal('master secret is wrong'));
    writeFileSync(secretFile(), Buffer.alloc(32, 1));
    expect(await make()).toEqual(illegal('master secret is wrong'));
    expect(readFileSync(secretFile()).equals(Buffer.alloc(32, 1))).toBe(true);
    writeFileSync(secretFile(), secret);
    expect((await make())[0]).toBe(200);
  });

  it('goes when no table uses it any more', async () => {
    for (const table of ['cards', 'checked']) await call('DELETE', `${TABLES}/${table}`);
    const [entry] = await entriesOf(subject, async () => {
      expect(await removed(`${GUID},${GUID}`)).toEqual({ failures: [] });
    });
    expect(entry).toMatchObject({ module: 'crypto-profiles', method: 'remove', params: { guids: `${GUID},${GUID}` } });
    expect(await profile(GUID)).toBeNull();
  });
});
