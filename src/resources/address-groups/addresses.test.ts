import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount, created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { ENDLESS_JSON, isFinished, openCursor, reached } from '#test/support/queries.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const GROUPS = '/api/core/address-groups';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const noGroup = illegal(`address group not found: ${NOWHERE}`);

onEachDatabase('The addresses of a group', (subject) => {
  const { call, clock } = subject;
  let names = 0;
  const newGroup = () => {
    names += 1;
    return created(subject, GROUPS, { name: `group ${names}` });
  };
  const at = (group: string) => `${GROUPS}/${group}/addresses`;
  const add = (group: string, form: Record<string, string>) => call('POST', at(group), { form });
  const group = async (guid: string) => (await call('GET', `${GROUPS}/${guid}`)).json.address_group;
  const ips = async (guid: string, query = '') => {
    const { json } = await call('GET', `${at(guid)}?${query}`);
    return [json.total_count, json.addresses.map(({ ip }: { ip: string }) => ip)];
  };

  it('are read back as they were written, and count', async () => {
    const guid = await newGroup();
    const form = { ip: ' 2001:DB8:0:0::1 ', description: '공격자', expire_minute: '90' };
    const answer = await add(guid, form);
    expect(answer.status).toBe(200);
    const now = '2024-03-01 00:00:00+0000';
    expect((await call('GET', at(guid))).json).toStrictEqual({
      total_count: 1,
      addresses: [
        {
          guid: answer.json.guid,
          ip: '2001:db8::1',
          country: null,
          count: 0,
          description: '공격자',
          expires_at: '2024-03-01 01:30:00+0000',
          created: now,
          updated: now,
        },
      ],
    });
    expect(await group(guid)).toMatchObject({ count: 1, version: 1, updated: now });
  });

  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3/32', '10.1.2.3'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::FFFF:10.1.2.3/104', '10.0.0.0/8'],
    ['2001:DB8::5/32', '2001:db8::/32'],
    ['2001:db8::5/128', '2001:db8::5'],
    ['::/0', '::/0'],
  ])('have one way to be written: %s is %s', async (given, kept) => {
    const guid = await newGroup();
    expect((await add(guid, { ip: given })).status).toBe(200);
    expect(await ips(guid)).toEqual([1, [kept]]);
    expect(outcome(await add(guid, { ip: kept }))).toEqual(illegal(`duplicated address: ${kept}`));
    expect(await group(guid)).toMatchObject({ count: 1, version: 1 });
  });

  it.each([
    [{}, missing('ip')],
    [{ ip: '10.0.0' }, invalid('wrong address or network: 10.0.0')],
    [{ ip: '10.0.0.0/33' }, invalid('wrong address or network: 10.0.0.0/33')],
    [{ ip: '10.0.0.1-10.0.0.9' }, invalid('wrong address or network: 10.0.0.1-10.0.0.9')],
    [{ ip: '10.0.0.1,10.0.0.2' }, invalid('wrong address or network: 10.0.0.1,10.0.0.2')],
    [{ ip: 'fe80::1%eth0' }, invalid('wrong address or network: fe80::1%eth0')],
    [
      { ip: '10.0.0.1', description: 'd'.repeat(2001) },
      invalid("'description' must be shorter than or equal to 2000 characters."),
    ],
    [{ ip: '10.0.0.1', expire_minute: '0' }, invalid("'expire_minute' must be greater than or equal to 1.")],
    [{ ip: '10.0.0.1', expire_minute: '5256001' }, invalid("'expire_minute' must be less than or equal to 5256000.")],
    [{ ip: '10.0.0.1' }, noGroup],
  ])('are refused: %j', async (form, complaint) => {
    expect(outcome(await add(NOWHERE, form))).toEqual(complaint);
  });

  it('are added once, though twenty add the same at the same moment', async () => {
    const guid = await newGroup();
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(guid, { ip: '10.0.0.1' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await group(guid)).toMatchObject({ count: 1, version: 1 });
  });

  it('are listed in the order of their text, fifty at a time, and found by ip and description', async () => {
    const guid = await newGroup();
    for (let at = 0; at < 51; at += 1) await add(guid, { ip: `10.0.0.${at}`, description: `Host ${at}` });
    const [total, found] = await ips(guid);
    expect([total, found.length, found[0], found[2]]).toEqual([51, 50, '10.0.0.0', '10.0.0.10']);
    expect(await ips(guid, 'keywords=hOST 50')).toEqual([1, ['10.0.0.50']]);
    expect(await ips(guid, 'keywords=0.0.7&limit=1')).toEqual([1, ['10.0.0.7']]);
    expect(await ips(guid, 'offset=50')).toEqual([51, ['10.0.0.9']]);
    expect(outcome(await call('GET', at(NOWHERE)))).toEqual(noGroup);
  });

  it('vanish when they expire, from lists, counts and removal, and may then be added anew', async () => {
    const guid = await newGroup();
    const short = (await add(guid, { ip: '10.0.0.1', expire_minute: '5' })).json.guid;
    await add(guid, { ip: '10.0.0.2' });
    clock.advance({ minutes: 4, seconds: 59 });
    expect(await ips(guid)).toEqual([2, ['10.0.0.1', '10.0.0.2']]);
    clock.advance({ seconds: 1 });
    expect(await ips(guid)).toEqual([1, ['10.0.0.2']]);
    expect(await group(guid)).toMatchObject({ count: 1 });
    const { json } = await call('DELETE', at(guid), { form: { guids: short } });
    expect(json).toEqual({ failures: [{ id: short, reason: 'address-not-found' }] });
    expect((await add(guid, { ip: '10.0.0.1' })).status).toBe(200);
  });

  it('are removed each alone; the version rises with every call that changed something', async () => {
    const one = await newGroup();
    const other = await newGroup();
    const first = (await add(one, { ip: '10.0.0.1' })).json.guid;
    const second = (await add(one, { ip: '10.0.0.2' })).json.guid;
    const foreign = (await add(other, { ip: '10.0.0.1' })).json.guid;
    const remove = async (guids: string) => outcome(await call('DELETE', at(one), { form: { guids } }));
    expect(await remove(`${first.toUpperCase()},${foreign},${second}`)).toEqual([
      200,
      { failures: [{ id: foreign, reason: 'address-not-found' }] },
    ]);
    expect(await group(one)).toMatchObject({ count: 0, version: 3 });
    expect(await group(other)).toMatchObject({ count: 1, version: 1 });
    expect((await remove(first))[0]).toBe(200);
    expect(await group(one)).toMatchObject({ version: 3 });
    expect(outcome(await call('DELETE', at(one)))).toEqual(missing('guids'));
    expect(outcome(await call('DELETE', at(NOWHERE), { form: { guids: first } }))).toEqual(noGroup);
    await call('DELETE', GROUPS, { form: { guids: other } });
    expect(outcome(await call('GET', at(other)))).toEqual(illegal(`address group not found: ${other}`));
    await created(subject, GROUPS, { name: 'made again', guid: other });
    expect(await group(other)).toMatchObject({ count: 0, version: 0 });
  });

  it('are changed by administrators, and every change leaves an entry', async () => {
    const guid = await newGroup();
    const { key } = await createAccount(subject, 'MEMBER', { login: 'reader' });
    expect(outcome(await call('POST', at(guid), { key, form: { ip: '10.0.0.1' } }))).toEqual(NO_PERMISSION);
    expect(outcome(await call('DELETE', at(guid), { key }))).toEqual(NO_PERMISSION);
    expect((await call('GET', at(guid), { key })).json).toEqual({ total_count: 0, addresses: [] });
    const group = (await call('GET', `/api/core/address-groups/${guid}`)).json.address_group;
    const entries = await entriesOf(subject, async () => {
      const made = (await add(guid, { ip: '10.0.0.1' })).json.guid;
      await call('DELETE', at(guid), { form: { guids: made } });
    });
    expect(entries).toMatchObject([
      { method: 'create-address', msg: `Creation of address 10.0.0.1 in address group ${group.name}` },
      { module: 'address-groups', method: 'remove-addresses', action: 'Remove addresses' },
    ]);
  });
});

onEachDatabase('Matching against a group', (subject) => {
  const { call, clock } = subject;
  const made: { group: string; member?: Account } = { group: '' };
  const add = (ip: string, more: Record<string, string> = {}) =>
    call('POST', `${GROUPS}/${made.group}/addresses`, { form: { ip, ...more } });
  const matched = async (more = '', key?: string) => {
    const q = `table order=asc traffic | matchnet field=ip guid=${made.group}${more}`;
    return (await rowsOf(subject, q, key === undefined ? {} : { key })).map((row) => sent(row).ip);
  };

  beforeAll(async () => {
    made.group = await created(subject, GROUPS, { name: 'bad' });
    made.member = await createAccount(subject, 'MEMBER', { login: 'member' });
    const logger = await createLogger(subject, { table: 'traffic' });
    const lines = ['10.1.2.3', '192.168.0.7', '2001:DB8:0::1', '::ffff:10.9.9.9', 'no address'];
    await push(subject, logger, { body: lines.map((ip) => JSON.stringify({ ip })).join('\n') });
    const shared_users = [{ guid: made.member.guid }];
    await call('PUT', '/api/core/tables/traffic', { json: { shared_users } });
  });

  it('finds nothing in one that is empty, and what lies in its networks', async () => {
    expect(await matched()).toEqual([]);
    await add('10.0.0.0/8');
    await add('2001:db8::/32');
    expect(await matched()).toEqual(['10.1.2.3', '2001:DB8:0::1', '::ffff:10.9.9.9']);
    expect(await matched(' invert=t')).toEqual(['192.168.0.7', 'no address']);
    expect(await matched('', made.member?.key)).toHaveLength(3);
    const q = `json "{'a':1}" | eval b = matchnet("${made.group.toUpperCase()}", "10.1.2.3") | fields b`;
    expect(await rowsOf(subject, q)).toEqual([{ b: true }]);
  });

  it('forgets what has expired', async () => {
    await add('192.168.0.7', { expire_minute: '1' });
    expect(await matched()).toContain('192.168.0.7');
    clock.advance({ minutes: 1 });
    expect(await matched()).not.toContain('192.168.0.7');
  });

  it('takes a group whose guid a subquery finds', async () => {
    const q = `setq [ json "{'g':'${made.group}'}" ] | table order=asc traffic | matchnet field=ip guid=$("g") | stats count`;
    expect(await rowsOf(subject, q)).toEqual([{ count: 3 }]);
  });

  it('refuses a group that is not there, before anything runs', async () => {
    const ask = async (q: string) => outcome(await call('GET', `/api/core/query?q=${encodeURIComponent(q)}`));
    const wrong = refused(400, 'invalid-query', `(21301) there is no group ${NOWHERE} at 1:31`);
    expect(await ask(`table traffic | matchnet guid=${NOWHERE}`)).toEqual(wrong);
  });
});

describe('The run of a query', () => {
  onEachDatabase(
    'with a group',
    (subject) => {
      const { call } = subject;

      it('matches the group as it is when the run begins, not when it was accepted', async () => {
        const group = await created(subject, GROUPS, { name: 'late' });
        const blocking = await openCursor(subject, ENDLESS_JSON);
        const q = `json "{'ip':'10.0.0.1'}" | matchnet field=ip guid=${group}`;
        const waiting = await openCursor(subject, q);
        await call('POST', `${GROUPS}/${group}/addresses`, { form: { ip: '10.0.0.1' } });
        await call('DELETE', `/api/core/cursors/${blocking}`);
        const status = await reached(subject, waiting, isFinished);
        expect(status).toMatchObject({ rows: 1, is_cancelled: false });
      });
    },
    { flags: { 'queries-per-account': '1' } },
  );
});
