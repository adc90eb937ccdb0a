import { describe, expect, it } from 'vitest';
import { en } from '#contract/labels/en.ts';
import { ko } from '#contract/labels/ko.ts';
import { type Account, createAccount, created, createTeam, masterGuid } from '#test/support/accounts.ts';
import { auditLogs } from '#test/support/audit.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, type Subject, serviceFor } from '#test/support/suites.ts';

const LIST = '/api/core/audit-logs';

const notLong = (name: string) => refused(400, 'invalid-argument', `'${name}' parameter should be long type`);
const negative = (name: string) => refused(400, 'invalid-argument', `'${name}' must be greater than or equal to 0.`);
const twice = (name: string) => refused(400, 'invalid-argument', `'${name}' is given twice.`);
const WRONG_DATE = refused(400, 'invalid-argument', 'invalid date format');

const INTEGERS: readonly [text: string, complaint: (name: string) => readonly [number, unknown]][] = [
  ['-1', negative],
  ['-9223372036854775808', negative],
  ['-9223372036854775809', notLong],
  ['9223372036854775808', notLong],
  ['99999999999999999999999999999999999999999999', notLong],
  ['1.5', notLong],
  ['1.0', notLong],
  ['1e3', notLong],
  ['0x10', notLong],
  ['ten', notLong],
  ['NaN', notLong],
  ['Infinity', notLong],
  ['1,000', notLong],
  ['1_000', notLong],
  ['--1', notLong],
  ['-', notLong],
  ['%D9%A3', notLong],
  ['true', notLong],
];

const WRONG_DATES = [
  '2024-03-01',
  '2024-03-01 09:00:00',
  '2024-03-01 09:00:00Z',
  '2024-03-01 09:00:00+09:00',
  '2024-03-01 09:00:00+09',
  '2024-03-01 09:00:00 +0900',
  '2024-03-01T09:00:00+0900',
  '2024-03-01  09:00:00+0900',
  '2024-03-01 09:00+0900',
  '2024-03-01 09:00:00.000+0900',
  ' 2024-03-01 09:00:00+0900',
  '2024-03-01 09:00:00+0900 ',
  '2024-03-01 09:00:00+0900\n',
  '2024-3-1 9:00:00+0900',
  '24-03-01 09:00:00+0900',
  '2024-02-30 09:00:00+0900',
  '2023-02-29 09:00:00+0900',
  '2024-13-01 09:00:00+0900',
  '2024-00-01 09:00:00+0900',
  '2024-03-00 09:00:00+0900',
  '2024-03-01 24:00:00+0900',
  '2024-03-01 09:60:00+0900',
  '2024-03-01 09:00:60+0900',
  '2024-03-01 09:00:00+0960',
  '2024-03-01 09:00:00+2500',
  '2024/03/01 09:00:00+0900',
  '1709251200000',
  'yesterday',
  '٢٠٢٤-03-01 09:00:00+0900',
];

describe('Parameters of Get audit logs', () => {
  const { call } = serviceFor();
  const ask = async (query: string) => outcome(await call('GET', `${LIST}?${query}`));

  for (const [text, complaint] of INTEGERS) {
    it(`refuses ${text} as offset and as limit`, async () => {
      expect(await ask(`offset=${text}`)).toEqual(complaint('offset'));
      expect(await ask(`limit=${text}`)).toEqual(complaint('limit'));
    });
  }

  it.each(['offset', 'limit', 'from', 'to', 'locale'])('refuses %s given twice', async (name) => {
    expect(await ask(`${name}=1&${name}=2`)).toEqual(twice(name));
  });

  it.each(WRONG_DATES)('refuses %j as from and as to', async (text) => {
    expect(await ask(`from=${encodeURIComponent(text)}`)).toEqual(WRONG_DATE);
    expect(await ask(`to=${encodeURIComponent(text)}`)).toEqual(WRONG_DATE);
  });

  it.each([
    ['limit=x&offset=y', notLong('offset')],
    ['offset=-1&limit=x', negative('offset')],
    ['from=x&limit=-1', negative('limit')],
    ['to=x&from=1&from=2', twice('from')],
    ['locale=a&locale=b&to=x', WRONG_DATE],
  ])('complains first about the parameter that is declared first: %s', async (query, complaint) => {
    expect(await ask(query)).toEqual(complaint);
  });

  it.each(['from=', 'to=', 'offset=', 'limit=', 'keywords=', 'categories=', 'actions=', 'company_guids=', 'locale='])(
    'takes %s for absent',
    async (query) => {
      const all = await call('GET', LIST);
      expect(await ask(query)).toEqual([200, all.json]);
    },
  );

  it('ignores parameters it does not know, whatever they are called', async () => {
    const [status] = await ask('__proto__=1&constructor=2&toString=3&order=asc&order=desc&hash=x');
    expect(status).toBe(200);
  });
});

/** Five companies, made a minute apart, named after the minute. */
async function createByTheMinute({ call, clock }: Subject): Promise<void> {
  for (const minute of [1, 2, 3, 4, 5]) {
    clock.advance({ minutes: 1 });
    await created({ call }, '/api/core/companies', { name: `minute ${minute}` });
  }
}

onEachDatabase('Paging and period of Get audit logs', (subject) => {
  const { call } = subject;
  const minutes = async (query: string): Promise<[string[], number]> => {
    const { json } = await call('GET', `${LIST}?keywords=minute&${query}`);
    return [json.audit_logs.map(({ params }: { params: { name: string } }) => params.name.slice(-1)), json.total];
  };
  it('gives the newest first', async () => {
    await createByTheMinute(subject);
    expect(await minutes('')).toEqual([['5', '4', '3', '2', '1'], 5]);
  });

  it.each([
    ['limit=2', ['5', '4']],
    ['offset=1&limit=2', ['4', '3']],
    ['offset=4', ['1']],
    ['offset=5', []],
    ['offset=9223372036854775807', []],
    ['limit=0', []],
    ['limit=9223372036854775807', ['5', '4', '3', '2', '1']],
    ['offset=9223372036854775807&limit=9223372036854775807', []],
    ['offset=003', ['2', '1']],
    ['offset=-0', ['5', '4', '3', '2', '1']],
  ])('counts every match in total, however small the page: %s', async (query, page) => {
    expect(await minutes(query)).toEqual([page, 5]);
  });

  it.each([
    ['from and to are inclusive', 'from=2024-03-01 00:02:00%2B0000&to=2024-03-01 00:04:00%2B0000', ['4', '3', '2']],
    ['a second later is later', 'from=2024-03-01 00:02:01%2B0000&to=2024-03-01 00:03:59%2B0000', ['3']],
    ['a plus may arrive as a blank', 'from=2024-03-01+09:04:00+0900', ['5', '4']],
    ['a blank may be percent-encoded', 'from=2024-03-01%2009:04:00%200900', ['5', '4']],
    ['offsets may be negative', 'to=2024-02-29 20:31:00-0330', ['1']],
    ['from alone', 'from=2024-03-01 00:05:00-0000', ['5']],
    ['to alone', 'to=2024-03-01 00:01:00+0000', ['1']],
    ['from equal to to is a moment', 'from=2024-03-01 00:03:00+0000&to=2024-03-01 00:03:00+0000', ['3']],
    ['from after to finds nothing', 'from=2024-03-01 00:04:00+0000&to=2024-03-01 00:02:00+0000', []],
    ['leap days exist', 'from=2024-02-29 00:00:00+0000&to=2024-03-01 00:01:00+0000', ['1']],
  ])('%s', async (_, query, found) => {
    expect(await minutes(query)).toEqual([found, found.length]);
  });
});

onEachDatabase('The record of an audit log', ({ call, clock }) => {
  it('has every field of the contract and no other', async () => {
    const form = { name: 'Fields', description: '기록' };
    const answer = await call('POST', '/api/core/companies', { form });
    const [entry] = await auditLogs({ call }, 'locale=en');
    expect(entry).toStrictEqual({
      id: expect.any(Number),
      user_guid: await masterGuid({ call }),
      user_name: 'master',
      remote_ip: '127.0.0.1',
      module: 'companies',
      method: 'create',
      params: form,
      msg_params: { request_id: answer.headers.get('x-request-id') },
      created_at: clock.now().epochMilliseconds,
      user: 'master',
      time: clock.now().epochMilliseconds,
      result: 'Success',
      category: 'Companies',
      action: 'Create company',
      msg: 'Creation of company Fields',
    });
  });

  it('has the error and the localized result of a refused call', async () => {
    await call('POST', '/api/core/companies', { form: { name: 'Fields' } });
    const [entry] = await auditLogs({ call }, 'locale=ko');
    expect(entry).toMatchObject({
      error: 'duplicated name: Fields',
      result: '실패',
      category: '회사',
      action: '회사 생성',
    });
  });

  it('omits what an entry has not', async () => {
    const [entry] = (await auditLogs({ call })).slice(-1);
    expect(entry).toMatchObject({ id: 1, user_name: '-', user: '-' });
    for (const field of ['user_guid', 'params', 'error']) expect(entry).not.toHaveProperty(field);
  });

  it('leaves no trace of the search itself', async () => {
    const before = await call('GET', LIST);
    for (const query of ['', '?keywords=a', '?offset=x', '?from=x']) await call('GET', `${LIST}${query}`);
    expect((await call('GET', LIST)).json).toEqual(before.json);
  });
});

const LABELS = { en, ko };

describe('The locale of Get audit logs', () => {
  const { call } = serviceFor();
  const sorted = (labels: string[], locale: string) => [...new Set(labels)].sort(new Intl.Collator(locale).compare);

  it.each([
    ['en', 'locale=en'],
    ['ko', 'locale=ko'],
    ['en', 'locale=fr'],
    ['ko', 'locale=KO'],
    ['ko', 'locale=ko-KR'],
    ['ko', 'locale=ko_KR'],
    ['en', 'locale=__proto__'],
    ['en', ''],
  ] as const)('gives all labels in %s, sorted, for "%s"', async (locale, query) => {
    const { json } = await call('GET', `${LIST}?${query}&limit=0`);
    const { categories, actions } = LABELS[locale];
    expect(json.categories).toEqual(sorted(Object.values(categories), locale));
    expect(json.actions).toEqual(
      sorted(
        Object.values(actions).map(({ label }) => label),
        locale,
      ),
    );
  });

  it("is the account's where none is given", async () => {
    const korean = await createAccount({ call }, 'MASTER', { login: 'korean', locale: 'ko' });
    const own = await call('GET', `${LIST}?limit=1`, { key: korean.key });
    expect(own.json.audit_logs[0]).toMatchObject({ category: '사용자', result: '성공' });
    const asked = await call('GET', `${LIST}?limit=1&locale=en`, { key: korean.key });
    expect(asked.json.audit_logs[0]).toMatchObject({ category: 'Users', result: 'Success' });
    await call('PUT', `/api/core/users/${korean.guid}`, { form: { locale: 'en' } });
    const changed = await call('GET', `${LIST}?limit=1`, { key: korean.key });
    expect(changed.json.audit_logs[0]).toMatchObject({ category: 'Users', action: 'Update user' });
  });
});

describe('Permission to read audit logs', () => {
  const { call } = serviceFor();
  it('is for MASTER alone', async () => {
    const team = await createTeam({ call }, 'readers');
    const accounts: Account[] = [team.admin, team.member];
    for (const { key } of accounts) {
      for (const path of [LIST, `${LIST}/export`, `${LIST}/proof`, `${LIST}?offset=x`]) {
        expect(outcome(await call('GET', path, { key }))).toEqual(NO_PERMISSION);
      }
    }
    const second = await createAccount({ call }, 'MASTER', { login: 'second' });
    expect((await call('GET', LIST, { key: second.key })).status).toBe(200);
  });
});
