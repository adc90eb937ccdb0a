import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { created, createTeam, masterGuid } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { everythingKept } from '#test/support/kept.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const GROUPS = '/api/core/alarm-groups';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const SECRET = 'hush-0123456789-nobody-reads-this';
const HOOK = { type: 'WEBHOOK', url: 'https://hooks.example.com/a?b=1', secret: SECRET };
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const notJson = refused(400, 'invalid-param-type', 'members should be json type');
const wrongUrl = (url: string) => invalid(`wrong url: ${url}`);
const hook = (url: string) => [{ type: 'WEBHOOK', url, secret: 's' }];

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
    'example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'http://',
    'http://localhost/x',
    'http://LOCALHOST./x',
    'http://a.localhost',
    'http://127.0.0.1',
    'https://127.9.9.9:8443/x',
    'http://2130706433',
    'http://0x7f.1',
    'http://0.0.0.0',
    'http://169.254.169.254/latest',
    'http://[::1]/x',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[fe80::1]',
  ])('with a webhook at %s, which none may call', async (url) => {
    expect(outcome(await call('POST', GROUPS, { json: { name: 'x', members: hook(url) } }))).toEqual(wrongUrl(url));
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
    expect(entry.params.members[0]).toEqual({ ...HOOK, secret: '***' });
    const [{ guid }] = (await call('GET', GROUPS)).json.alarm_groups;
    const shown = [
      { type: 'WEBHOOK', url: HOOK.url },
      { type: 'USER', guid: master, name: 'master' },
    ];
    expect((await group(guid)).members).toStrictEqual(shown);
    expect((await call('GET', GROUPS)).json.alarm_groups[0].members).toStrictEqual(shown);
    expect(await secretOf(guid)).toBe(false);
    const kept = await everythingKept(subject.service);
    expect(kept.filter((bytes) => bytes.includes(SECRET))).toEqual([]);
  });

  it('does not show a secret in the trail either where it is given as text, or is no JSON', async () => {
    for (const text of [JSON.stringify([HOOK]), `[{"secret":"${SECRET}"`]) {
      const [entry] = await entriesOf(subject, async () => {
        await call('POST', GROUPS, { form: { name: 'again', members: text } });
      });
      expect(JSON.stringify(entry)).not.toContain(SECRET);
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
    const [ours, theirs] = [await createTeam(subject, 'ours'), await createTeam(subject, 'theirs')];
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
