import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Db } from '#store/kysely.ts';
import { openStore } from '#store/store.ts';
import { created, createTeam, masterGuid } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { onEachDatabase, outcome, refused, type Subject, serviceFor } from '#test/support/suites.ts';
import { everythingKept } from '#test/support/written-data.ts';

const GROUPS = '/api/core/alarm-groups';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const SECRET = 'hush-0123456789-nobody-reads-this';
const PATH = 'path-of-a-hook-0123456789';
const HOOK = { type: 'WEBHOOK', url: `https://hooks.example.com/${PATH}?b=1`, secret: SECRET };
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const notJson = refused(400, 'invalid-param-type', 'members should be json type');
const wrongUrl = (url: string) => invalid(`wrong url: ${url}`);
const hook = (url: string) => [{ type: 'WEBHOOK', url, secret: 's' }];

/** The database of a service that is stopped for it. */
async function storeOf({ service }: Subject) {
  await service.stop();
  const { database, data } = service.config;
  return { store: await openStore(database ?? data, { groupCommitted() {}, storeFailed() {} }) };
}

describe('The members of an alarm group are refused', () => {
  const { call } = serviceFor();

  it.each([
    ['x', notJson],
    [{}, notJson],
    [['x'], notJson],
    [[{}], missing('members.type')],
    [[{ type: 'user' }], invalid("members.type value must be one of 'USER', 'WEBHOOK'.")],
    [[{ type: 'USER' }], missing('members.guid')],
    [[{ type: 'USER', guid: 'x' }], refused(400, 'invalid-param-type', 'members.guid should be guid type.')],
    [[{ type: 'USER', guid: NOWHERE }], refused(500, 'illegal-state', `user not found: ${NOWHERE}`)],
    [[{ type: 'WEBHOOK', secret: 's' }], missing('members.url')],
    [[{ type: 'WEBHOOK', url: 'https://example.com' }], missing('members.secret')],
    [hook('u'.repeat(2001)), invalid("'members.url' must be shorter than or equal to 2000 characters.")],
  ])('%j', async (members, complaint) => {
    expect(outcome(await call('POST', GROUPS, { json: { name: 'x', members } }))).toEqual(complaint);
  });

  it.each([
    ['example.com/hook?token=x', '***'],
    ['http://', '***'],
    ['ftp://example.com/a', 'ftp://example.com'],
    ['file:///etc/passwd', 'file://'],
    ['https://user:password@example.com/x', 'https://example.com'],
    ['https://user@example.com:8443/x', 'https://example.com:8443'],
    ['http://@hooks.example.com/', 'http://hooks.example.com'],
    ['http://:@hooks.example.com/', 'http://hooks.example.com'],
    ['http://localhost/x', 'http://localhost'],
    ['http://2130706433', 'http://127.0.0.1'],
    ['http://169.254.169.254/latest', 'http://169.254.169.254'],
    ['http://metadata.google.internal/x', 'http://metadata.google.internal'],
    ['http://[::ffff:127.0.0.1]', 'http://[::ffff:7f00:1]'],
    ['http://[64:ff9b::a9fe:a9fe]/x', 'http://[64:ff9b::a9fe:a9fe]'],
    ['http://[2002:7f00:1::]/x', 'http://[2002:7f00:1::]'],
  ])('with a webhook at %s, which none may call', async (url, shown) => {
    expect(outcome(await call('POST', GROUPS, { json: { name: 'x', members: hook(url) } }))).toEqual(wrongUrl(shown));
    expect((await call('GET', GROUPS)).json.total_count).toBe(0);
  });

  it.each(['http://10.0.0.5:8080/x', 'https://example.com', 'http://[2001:db8::1]/x', 'http://128.0.0.1'])(
    'unlike one at %s',
    async (url) => {
      expect((await call('POST', GROUPS, { json: { name: url, members: hook(url) } })).status).toBe(200);
      await call('DELETE', GROUPS, { form: { guids: (await call('GET', GROUPS)).json.alarm_groups[0].guid } });
    },
  );
});

describe('With the setting webhook-targets=any', () => {
  const { call } = serviceFor({ flags: { 'webhook-targets': 'any' } });

  it('webhooks may point at this machine, and still at nothing but http and https', async () => {
    const make = async (url: string) =>
      outcome(await call('POST', GROUPS, { json: { name: 'x', members: hook(url) } }));
    expect((await make('http://127.0.0.1:9/x'))[0]).toBe(200);
    expect(await make('ftp://127.0.0.1')).toEqual(wrongUrl('ftp://127.0.0.1'));
  });
});

onEachDatabase('An alarm group', (subject) => {
  const { call } = subject;
  const group = async (guid: string, key?: string) =>
    (await call('GET', `${GROUPS}/${guid}`, key === undefined ? {} : { key })).json.alarm_group;
  const secretOf = async (guid: string) => (await call('GET', `${GROUPS}/${guid}`)).text.includes('secret');
  const change = async (guid: string, name: string, members: object[], key?: string) =>
    outcome(await call('PUT', `${GROUPS}/${guid}`, { json: { name, members }, ...(key === undefined ? {} : { key }) }));

  it('is read back in the order it was written, without secrets, which are nowhere in clear', async () => {
    const master = await masterGuid(subject);
    const members = [HOOK, { type: 'USER', guid: master.toUpperCase() }];
    const [entry] = await entriesOf(subject, async () => {
      expect((await call('POST', GROUPS, { json: { name: 'duty', members } })).status).toBe(200);
    });
    expect(entry.params.members[0]).toEqual({ ...HOOK, url: 'https://hooks.example.com', secret: '***' });
    const [{ guid }] = (await call('GET', GROUPS)).json.alarm_groups;
    const shown = [
      { type: 'WEBHOOK', url: HOOK.url },
      { type: 'USER', guid: master, name: 'master' },
    ];
    expect((await group(guid)).members).toStrictEqual(shown);
    expect((await call('GET', GROUPS)).json.alarm_groups[0].members).toStrictEqual(shown);
    expect(await secretOf(guid)).toBe(false);
    const kept = await everythingKept(subject.service);
    expect(kept.filter((bytes) => bytes.includes(SECRET) || bytes.includes(PATH))).toEqual([]);
  });

  it('shows the url of a webhook as scheme and host to those who are no administrators', async () => {
    const { member, admin } = await createTeam(subject, 'readers');
    const guid = await created(subject, GROUPS, { name: 'read', members: JSON.stringify([HOOK]) });
    expect((await group(guid, member.key)).members).toEqual([{ type: 'WEBHOOK', url: 'https://hooks.example.com' }]);
    expect((await call('GET', GROUPS, { key: member.key })).text).not.toContain(PATH);
    expect((await group(guid, admin.key)).members).toEqual([{ type: 'WEBHOOK', url: HOOK.url }]);
  });

  it('is sealed at the start that follows a version which kept urls in clear', async () => {
    const guid = await created(subject, GROUPS, { name: 'old', members: JSON.stringify([HOOK]) });
    const { store } = await storeOf(subject);
    const alarm = { event_guid: NOWHERE, group_guid: guid, target: HOOK.url, tries: 0, due_at: 2 ** 50 };
    const left = { ...alarm, target: 'https://left.example.com/x' };
    await store.write(async (db) => {
      const clear = { target: HOOK.url, url_box: null };
      await db.updateTable('alarm_members').set(clear).where('group_guid', '=', guid).execute();
      await db.insertInto('alarms').values([alarm, left]).execute();
    });
    await store.close();
    await subject.service.restart();
    expect((await group(guid)).members).toEqual([{ type: 'WEBHOOK', url: HOOK.url }]);
    expect(await change(guid, 'old', [{ type: 'WEBHOOK', url: HOOK.url }])).toEqual([200, {}]);
    const again = await storeOf(subject);
    const rows = async (table: 'alarm_members' | 'alarms') =>
      await again.store.read((db) => db.selectFrom(table).selectAll().where('group_guid', '=', guid).execute());
    const [kept] = await rows('alarm_members');
    const [waiting] = await rows('alarms');
    expect(JSON.stringify([kept, await rows('alarms')])).not.toContain('example.com');
    expect(waiting?.target).toBe(kept?.target);
    await again.store.close();
    await subject.service.restart();
  });

  it('stays as it is when a database of before starts without its master secret', async () => {
    const guid = await created(subject, GROUPS, { name: 'closed', members: JSON.stringify([HOOK]) });
    const { store } = await storeOf(subject);
    const clear = { target: HOOK.url, url_box: null };
    await store.write((db) => db.updateTable('alarm_members').set(clear).where('group_guid', '=', guid).execute());
    // One that remembers its secret does not start without it.
    await store.write((db) => db.deleteFrom('installation').where('key', '=', 'master-secret').execute());
    await store.close();
    const file = join(subject.service.config.keys, 'master-secret');
    const secret = readFileSync(file);
    rmSync(file);
    await subject.service.restart();
    expect((await group(guid)).members).toEqual([{ type: 'WEBHOOK', url: HOOK.url }]);
    await subject.service.stop();
    writeFileSync(file, secret, { mode: 0o600 });
    await subject.service.restart();
    const again = await storeOf(subject);
    const clearRows = (db: Db) => db.selectFrom('alarm_members').selectAll().where('url_box', 'is', null).execute();
    expect((await again.store.read(clearRows)).filter(({ target }) => target !== null)).toEqual([]);
    await again.store.close();
    await subject.service.restart();
  });

  it('does not show a secret in the trail either where it is given as text, or is no JSON', async () => {
    for (const text of [JSON.stringify([HOOK]), `[{"secret":"${SECRET}","url":"${HOOK.url}"`]) {
      const [entry] = await entriesOf(subject, async () => {
        await call('POST', GROUPS, { form: { name: 'again', members: text } });
      });
      expect(JSON.stringify(entry)).not.toContain(SECRET);
      expect(JSON.stringify(entry)).not.toContain(PATH);
    }
  });

  it('keeps the secret of a webhook that is named again without one', async () => {
    const guid = await created(subject, GROUPS, { name: 'kept', members: JSON.stringify([HOOK]) });
    const { secret, ...open } = HOOK;
    expect(await change(guid, 'kept', [open])).toEqual([200, {}]);
    expect(await change(guid, 'kept', [{ ...open, url: `${HOOK.url}&c=2` }])).toEqual(missing('members.secret'));
    expect((await group(guid)).members).toEqual([open]);
    expect(await change(guid, 'kept', [])).toEqual([200, {}]);
    expect(await change(guid, 'kept', [open])).toEqual(missing('members.secret'));
  });

  it('takes users of the caller’s company, and keeps those of another that are in it', async () => {
    const ours = await createTeam(subject, 'ours');
    const theirs = await createTeam(subject, 'theirs');
    const member = (guid: string) => ({ type: 'USER', guid });
    const members = JSON.stringify([member(theirs.member.guid)]);
    const guid = await created(subject, GROUPS, { name: 'mixed', members });
    const both = [member(theirs.member.guid), member(ours.member.guid)];
    expect(await change(guid, 'mixed', both, ours.admin.key)).toEqual([200, {}]);
    const stranger = await change(guid, 'mixed', [...both, member(theirs.admin.guid)], ours.admin.key);
    expect(stranger).toEqual(refused(500, 'illegal-state', `user not found: ${theirs.admin.guid}`));
    await call('DELETE', '/api/core/users', { form: { guids: ours.member.guid } });
    expect((await group(guid)).members).toEqual([
      { ...both[0], name: 'theirs-member' },
      { ...both[1], name: null },
    ]);
  });

  it('seals secrets by the same master secret as crypto profiles, and makes no other one', async () => {
    const file = join(subject.service.config.keys, 'master-secret');
    const secret = readFileSync(file);
    const profile = await created(subject, '/api/core/crypto-profiles', { name: 'beside' });
    await call('DELETE', '/api/core/crypto-profiles', { form: { guids: profile } });
    expect(readFileSync(file).equals(secret)).toBe(true);
    rmSync(file);
    const gone = refused(500, 'illegal-state', 'master secret is missing');
    expect(outcome(await call('POST', GROUPS, { json: { name: 'late', members: [HOOK] } }))).toEqual(gone);
    expect(outcome(await call('POST', '/api/core/crypto-profiles', { form: { name: 'late' } }))).toEqual(gone);
    expect(existsSync(file)).toBe(false);
  });
});
