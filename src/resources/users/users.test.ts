import { describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { auditLogs } from '#test/support/audit.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const USERS = '/api/core/users';
const GUID = 'aaaaaaaa-0000-4000-8000-00000000000a';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const MINIMAL = { login: 'x', name: 'x', role: 'MEMBER' };
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const illegal = (message: string) => refused(500, 'illegal-state', message);
const tooLong = (name: string, most: number) =>
  invalid(`'${name}' must be shorter than or equal to ${most} characters.`);

/** What is wrong with a new user, beside or in place of the fields of LEAST. */
const COMPLAINTS: readonly [fields: Record<string, string>, complaint: readonly [number, unknown]][] = [
  [{ login: '' }, missing('login')],
  [{ name: '' }, missing('name')],
  [{ role: '' }, missing('role')],
  [{ guid: 'x' }, refused(400, 'invalid-param-type', 'guid should be guid type.')],
  [{ login: 'a'.repeat(51) }, tooLong('login', 50)],
  [{ login: ' '.repeat(51) }, missing('login')],
  [{ login: 'a b' }, invalid("'login' may contain alphanumeric and _ . - @ characters: a b")],
  [{ login: 'a/b' }, invalid("'login' may contain alphanumeric and _ . - @ characters: a/b")],
  [{ login: ' a\nb\n' }, invalid("'login' may contain alphanumeric and _ . - @ characters: a\nb")],
  [{ login: 'a+b' }, invalid("'login' may contain alphanumeric and _ . - @ characters: a+b")],
  [{ name: 'n'.repeat(256) }, tooLong('name', 255)],
  [{ name: '😀'.repeat(256) }, tooLong('name', 255)],
  [{ role: 'OWNER' }, invalid("role value must be one of 'MASTER', 'ADMIN', 'MEMBER'.")],
  [{ role: 'master' }, invalid("role value must be one of 'MASTER', 'ADMIN', 'MEMBER'.")],
  [{ role: 'toString' }, invalid("role value must be one of 'MASTER', 'ADMIN', 'MEMBER'.")],
  [{ title: 't'.repeat(256) }, tooLong('title', 255)],
  [{ dept: 't'.repeat(256) }, tooLong('dept', 255)],
  [{ phone: 't'.repeat(256) }, tooLong('phone', 255)],
  [{ mobile: 't'.repeat(256) }, tooLong('mobile', 255)],
  [{ email: 't'.repeat(256) }, tooLong('email', 255)],
  [{ locale: 'fr' }, invalid("locale value must be one of 'en', 'ko'.")],
  [{ locale: 'korean' }, invalid("locale value must be one of 'en', 'ko'.")],
  [{ locale: '-ko' }, invalid("locale value must be one of 'en', 'ko'.")],
  [{ time_zone: 'z'.repeat(51) }, tooLong('time_zone', 50)],
  [{ time_zone: 'Asia/Nowhere' }, invalid('wrong time zone: Asia/Nowhere')],
  [{ time_zone: 'UTC+19' }, invalid('wrong time zone: UTC+19')],
  [{ time_zone: '9' }, invalid('wrong time zone: 9')],
  [{ locale: 'fr', time_zone: 'x' }, invalid("locale value must be one of 'en', 'ko'.")],
  [{ time_zone: 'x', company_guid: 'x' }, invalid('wrong time zone: x')],
  [{ company_guid: 'x' }, refused(400, 'invalid-param-type', 'company_guid should be guid type.')],
  [{ user_group_guids: `${GUID},x` }, refused(400, 'invalid-param-type', 'user_group_guids should be guid type.')],
  [{ trust_hosts: '10.0.0.0/33' }, invalid('wrong address or network: 10.0.0.0/33')],
  [{ trust_hosts: '10.0.0.1,localhost' }, invalid('wrong address or network: localhost')],
  [{ trust_hosts: '::1/129' }, invalid('wrong address or network: ::1/129')],
  [{ idle_timeout: '59' }, invalid("'idle_timeout' must be greater than or equal to 60.")],
  [{ idle_timeout: '86401' }, invalid("'idle_timeout' must be less than or equal to 86400.")],
  [{ idle_timeout: '99999999999999999999' }, invalid("'idle_timeout' must be less than or equal to 86400.")],
  [{ idle_timeout: '-99999999999999999999' }, invalid("'idle_timeout' must be greater than or equal to 60.")],
  [{ idle_timeout: '1h' }, invalid("'idle_timeout' parameter should be int type")],
  [{ login: '', guid: 'x' }, refused(400, 'invalid-param-type', 'guid should be guid type.')],
  [{ login: 'a b', name: '' }, invalid("'login' may contain alphanumeric and _ . - @ characters: a b")],
  [{ name: '', role: 'x' }, missing('name')],
  [{ idle_timeout: '1', trust_hosts: 'x' }, invalid('wrong address or network: x')],
  [{ company_guid: NOWHERE, idle_timeout: '1' }, invalid("'idle_timeout' must be greater than or equal to 60.")],
];

describe('A user is refused', () => {
  const { call } = serviceFor();

  it.each(COMPLAINTS)('on creation with %j', async (fields, complaint) => {
    expect(outcome(await call('POST', USERS, { form: { ...MINIMAL, ...fields } }))).toEqual(complaint);
  });

  it.each(COMPLAINTS.filter(([, [, body]]) => !JSON.stringify(body).includes('null-argument')))(
    'on update with %j',
    async (fields, complaint) => {
      const { guid, ...form } = fields;
      if (guid !== undefined) return;
      expect(outcome(await call('PUT', `${USERS}/${NOWHERE}`, { form }))).toEqual(complaint);
    },
  );

  it('and nothing of it is kept', async () => {
    expect((await call('GET', USERS)).json.total_count).toBe(1);
  });
});

const FULL = {
  guid: GUID.toUpperCase(),
  login: 'kim.minji_2-x@corp',
  name: '김민지',
  role: 'ADMIN',
  title: '과장',
  dept: '보안',
  phone: '02-123',
  mobile: '010-456',
  email: 'minji@example.com',
  locale: 'ko',
  time_zone: 'UTC+9',
  trust_hosts: ' 10.0.0.0/8, ,127.0.0.1 ,::1',
  idle_timeout: '86400',
};

const READ_BACK = {
  guid: GUID,
  login: 'kim.minji_2-x@corp',
  name: '김민지',
  title: '과장',
  dept: '보안',
  phone: '02-123',
  mobile: '010-456',
  email: 'minji@example.com',
  locale: 'ko',
  time_zone: 'UTC+9',
  role_id: 2,
  role_name: 'ADMIN',
  company_guid: expect.any(String),
  company_name: 'default',
  user_group_guids: [] as string[],
  trust_hosts: ['10.0.0.0/8', '127.0.0.1', '::1'],
  idle_timeout: 86400,
  has_api_key: false,
  created: '2024-03-01 09:00:00+0900',
  updated: '2024-03-01 09:00:00+0900',
};

onEachDatabase(
  'A user',
  (subject) => {
    const { call, clock } = subject;
    const user = async (guid: string) => (await call('GET', `${USERS}/${guid}`)).json.user;

    it('is read back as it was written, with the times of the zone', async () => {
      expect(outcome(await call('POST', USERS, { form: FULL }))).toEqual([200, { guid: GUID }]);
      expect(outcome(await call('GET', `${USERS}/${GUID.toUpperCase()}`))).toEqual([200, { user: READ_BACK }]);
      expect((await call('GET', `${USERS}?keywords=minji`)).json).toEqual({ total_count: 1, users: [READ_BACK] });
    });

    it('takes its defaults, and omits what it has not', async () => {
      const guid = await created(subject, USERS, { login: 'least', name: '😀'.repeat(255), role: 'MEMBER' });
      expect(await user(guid)).toStrictEqual({
        guid,
        login: 'least',
        name: '😀'.repeat(255),
        locale: 'en',
        time_zone: 'Asia/Seoul',
        role_id: 3,
        role_name: 'MEMBER',
        company_guid: expect.any(String),
        company_name: 'default',
        user_group_guids: [],
        trust_hosts: [],
        idle_timeout: 3600,
        has_api_key: false,
        created: '2024-03-01 09:00:00+0900',
        updated: '2024-03-01 09:00:00+0900',
      });
    });

    it('keeps on update what is not given, or given empty', async () => {
      clock.advance({ seconds: 90 });
      const form = { title: '부장', dept: '', name: '', role: '' };
      expect(outcome(await call('PUT', `${USERS}/${GUID}`, { form }))).toEqual([200, {}]);
      expect(await user(GUID)).toEqual({ ...READ_BACK, title: '부장', updated: '2024-03-01 09:01:30+0900' });
      await call('PUT', `${USERS}/${GUID}`, { json: { title: '과장', email: null, guid: NOWHERE } });
      expect(await user(GUID)).toMatchObject({ guid: GUID, title: '과장', email: 'minji@example.com' });
    });

    it('may change everything but its guid', async () => {
      const change = {
        login: 'new',
        name: 'New',
        role: 'MEMBER',
        phone: '1',
        locale: 'en',
        idle_timeout: '60',
        time_zone: 'Z',
      };
      await call('PUT', `${USERS}/${GUID}`, { form: { ...change, trust_hosts: '192.0.2.0/24' } });
      expect(await user(GUID)).toMatchObject({
        login: 'new',
        name: 'New',
        role_id: 3,
        role_name: 'MEMBER',
        phone: '1',
        locale: 'en',
        time_zone: 'Z',
        idle_timeout: 60,
        trust_hosts: ['192.0.2.0/24'],
      });
      expect((await call('GET', `${USERS}?keywords=kim.minji`)).json.total_count).toBe(0);
    });

    it('has a login and a guid of its own', async () => {
      const twin = { ...MINIMAL, login: 'least' };
      expect(outcome(await call('POST', USERS, { form: twin }))).toEqual(illegal('duplicated login: least'));
      const same = { ...MINIMAL, login: 'fresh', guid: GUID };
      expect(outcome(await call('POST', USERS, { form: same }))).toEqual(illegal(`duplicated guid: ${GUID}`));
      const renamed = await call('PUT', `${USERS}/${GUID}`, { form: { login: 'least', title: 'changed' } });
      expect(outcome(renamed)).toEqual(illegal('duplicated login: least'));
      expect((await user(GUID)).title).toBe('과장');
      expect((await call('PUT', `${USERS}/${GUID}`, { form: { login: 'new' } })).status).toBe(200);
    });

    it('refers to companies and groups that exist', async () => {
      const group = await created(subject, '/api/core/user-groups', { name: 'real' });
      const rows = [
        [{ company_guid: NOWHERE }, `company not found: ${NOWHERE}`],
        [{ user_group_guids: `${group},${NOWHERE}` }, `user group not found: ${NOWHERE}`],
        [{ company_guid: NOWHERE, user_group_guids: NOWHERE }, `company not found: ${NOWHERE}`],
      ] as const;
      for (const [fields, message] of rows) {
        const made = await call('POST', USERS, { form: { ...MINIMAL, ...fields } });
        expect(outcome(made)).toEqual(illegal(message));
        expect(outcome(await call('PUT', `${USERS}/${GUID}`, { form: fields }))).toEqual(illegal(message));
      }
      const guid = await created(subject, USERS, { ...MINIMAL, login: 'grouped', user_group_guids: group });
      expect((await user(guid)).user_group_guids).toEqual([group]);
    });

    it('is missing for update, null for get', async () => {
      const answer = await call('PUT', `${USERS}/${NOWHERE}`, { form: { login: 'least' } });
      expect(outcome(answer)).toEqual(illegal(`user not found: ${NOWHERE}`));
      expect(outcome(await call('GET', `${USERS}/${NOWHERE}`))).toEqual([200, { user: null }]);
    });

    it('is created once, though twenty ask for its login at the same moment', async () => {
      const form = { ...MINIMAL, login: 'contested' };
      const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', USERS, { form })));
      const lost = answers.filter(({ status }) => status !== 200);
      expect(lost).toHaveLength(19);
      for (const answer of lost) expect(outcome(answer)).toEqual(illegal('duplicated login: contested'));
      expect((await call('GET', `${USERS}?keywords=contested`)).json.total_count).toBe(1);
      const entries = await auditLogs(subject, 'keywords=contested');
      expect(entries.filter(({ error }) => error === undefined)).toHaveLength(1);
      expect(entries).toHaveLength(20);
    });
  },
  { flags: { 'time-zone': 'Asia/Seoul' } },
);
