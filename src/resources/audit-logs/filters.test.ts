import { expect, it } from 'vitest';
import { createAccount, created, createTeam, type Team } from '#test/support/accounts.ts';
import type { WireEntry } from '#test/support/audit.ts';
import { onEachDatabase, type Subject } from '#test/support/suites.ts';

const LIST = '/api/core/audit-logs';
const COMPANIES = '/api/core/companies';

/** Each leaves one entry, told apart by `name`. */
const STORIES: readonly { readonly name: string; readonly description?: string }[] = [
  { name: 'Alpha', description: 'plain words' },
  { name: 'BETA', description: 'PLAIN and loud' },
  { name: '안랩', description: '가나다 라마' },
  { name: 'ÀÉÎÕÜ', description: 'ČŠŽ ЖУК ΔΟΚΙΜΗ' },
  { name: '100%', description: 'under_score back\\slash' },
  { name: '"quoted" OR *', description: "it's (NEAR) ^ -minus" },
  { name: '😀 emoji 😀😁', description: 'ㄱ' },
];

async function tellStories({ call }: Subject): Promise<void> {
  for (const story of STORIES) await call('POST', COMPANIES, { json: story });
}

const namesOf = (entries: readonly WireEntry[]) => entries.map(({ params }) => params?.name).reverse();

/** The names of the companies whose creation is found; nothing else ever matches these words. */
const KEYWORDS: readonly [sentence: string, keywords: readonly string[], names: readonly string[]][] = [
  ['a whole word', ['Alpha'], ['Alpha']],
  ['a part of a word', ['lph'], ['Alpha']],
  ['two letters', ['lp'], ['Alpha']],
  ['any case of the keyword', ['aLPHA'], ['Alpha']],
  ['any case of the text', ['beta'], ['BETA']],
  ['a value of params', ['plain'], ['Alpha', 'BETA']],
  ['several keywords that must all match', ['plain', 'loud'], ['BETA']],
  ['several keywords in different fields', ['beta', 'PLAIN'], ['BETA']],
  ['several keywords of which one is missing', ['plain', 'nowhere-to-be-found'], []],
  ['one Korean letter', ['랩'], ['안랩']],
  ['two Korean letters', ['안랩'], ['안랩']],
  ['three Korean letters', ['가나다'], ['안랩']],
  ['one letter of the Korean alphabet', ['ㄱ'], ['😀 emoji 😀😁']],
  ['accented letters of any case', ['àéîõü'], ['ÀÉÎÕÜ']],
  ['Czech letters of any case', ['čšž'], ['ÀÉÎÕÜ']],
  ['Cyrillic letters of any case', ['жук'], ['ÀÉÎÕÜ']],
  ['Greek letters of any case', ['δοκιμη'], ['ÀÉÎÕÜ']],
  ['a percent sign as itself', ['0%'], ['100%']],
  ['an underscore as itself', ['under_score'], ['100%']],
  ['no letter by an underscore', ['under-score'], []],
  ['no text by a percent sign', ['b%a'], []],
  ['a backslash as itself', ['back\\slash'], ['100%']],
  ['quotes as themselves', ['"quoted"'], ['"quoted" OR *']],
  ['an apostrophe as itself', ["it's"], ['"quoted" OR *']],
  ['words that search languages know', ['OR *'], ['"quoted" OR *']],
  ['brackets and signs', ['(near) ^ -m'], ['"quoted" OR *']],
  ['a letter beyond the basic plane', ['😁'], ['😀 emoji 😀😁']],
  ['a longer text with such letters', ['emoji 😀😁'], ['😀 emoji 😀😁']],
  ['blanks inside a keyword', ['plain words'], ['Alpha']],
];

onEachDatabase('Keywords of Get audit logs find', (subject) => {
  const find = async (keywords: readonly string[]) => {
    const query = keywords.map((keyword) => `keywords=${encodeURIComponent(keyword)}`).join('&');
    const { json } = await subject.call('GET', `${LIST}?${query}`);
    expect(json.total).toBe(json.audit_logs.length);
    return namesOf(json.audit_logs);
  };

  it('nothing before anything was written', async () => {
    expect(await find(['Alpha'])).toEqual([]);
    await tellStories(subject);
  });

  it.each(KEYWORDS)('%s', async (_, keywords, names) => expect(await find(keywords)).toEqual(names));

  it('the same after the service has had time to index', async () => {
    await subject.clock.pass({ seconds: 5 });
    for (const [, keywords, names] of KEYWORDS) expect(await find(keywords)).toEqual(names);
  });

  it('the same after a restart, and what came later', async () => {
    await subject.service.restart();
    await created(subject, COMPANIES, { name: 'Alphabet' });
    expect(await find(['alpha'])).toEqual(['Alpha', 'Alphabet']);
  });

  it('items separated by commas, blanks around them ignored', async () => {
    const { json } = await subject.call('GET', `${LIST}?keywords=%20beta%20,,loud%20,`);
    expect(namesOf(json.audit_logs)).toEqual(['BETA']);
  });

  it('nothing, without complaint, however many or long they are', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `none${index}`).join(',');
    for (const keywords of [many, 'x'.repeat(100_000), '가'.repeat(10_000)]) {
      const { status, json } = await subject.call('GET', `${LIST}?keywords=${encodeURIComponent(keywords)}`);
      expect([status, json.total]).toEqual([200, 0]);
    }
  });

  it('both lower-case forms of a Greek sigma', async () => {
    await created(subject, COMPANIES, { name: 'ΟΔΟΣ' });
    expect(await find(['οδος'])).toEqual(['ΟΔΟΣ']);
    expect(await find(['οδοσ'])).toEqual(['ΟΔΟΣ']);
    expect(await find(['Σ'])).toEqual(['ΟΔΟΣ']);
  });
});

/** Words that stand in one field only of the entry that is found, newest first. */
onEachDatabase(
  'A keyword is sought in',
  (subject) => {
    const newest = async (keyword: string) => {
      const { json } = await subject.call('GET', `${LIST}?keywords=${encodeURIComponent(keyword)}&limit=1`);
      return json.audit_logs[0];
    };

    it('user_name, user_guid, remote_ip, module, method, params, msg_params and error', async () => {
      const actor = await createAccount(subject, 'MASTER', { login: 'actor.of.deeds' });
      const path = `${COMPANIES}/01234567-89ab-cdef-0123-456789abcdef`;
      const headers = { 'x-forwarded-for': '203.0.113.77' };
      const answer = await subject.call('PUT', path, { key: actor.key, headers, form: { name: 'unusual' } });
      const id = answer.headers.get('x-request-id') ?? '';
      for (const word of [actor.guid, '203.0.113.77', 'UPDATE', 'unusual', 'company not found']) {
        expect((await newest(word)).msg_params.request_id).toBe(id);
      }
      // The id of the request is left out: its digits would answer to any short keyword.
      expect([await newest(id), await newest('request_id')]).toEqual([undefined, undefined]);
      expect((await newest('actor.of')).user_guid).toBe(actor.guid);
      expect((await newest('companies')).module).toBe('companies');
    });

    it.each([
      ['Install service', 'install'],
      ['first START, with', 'install'],
      ['서비스 설치', 'install'],
      ['첫 시작', 'install'],
      ['설치', 'install'],
      ['치', 'install'],
      ['마스터', undefined],
    ])('labels and messages of both languages, whatever the locale: %s', async (keyword, method) => {
      for (const locale of ['en', 'ko']) {
        const query = `keywords=${encodeURIComponent(keyword)}&locale=${locale}`;
        const { json } = await subject.call('GET', `${LIST}?${query}`);
        expect(json.audit_logs.map((entry: WireEntry) => entry.method)).toEqual(method ? [method] : []);
      }
    });

    it.each(['Failure', '실패', 'failure'])('the label of the result: %s', async (keyword) => {
      const { json } = await subject.call('GET', `${LIST}?keywords=${encodeURIComponent(keyword)}`);
      expect(
        json.audit_logs.every(
          ({ error }: WireEntry) => error === 'company not found: 01234567-89ab-cdef-0123-456789abcdef',
        ),
      ).toBe(true);
      expect(json.total).toBe(1);
    });
  },
  { flags: { 'trusted-proxies': '127.0.0.1' } },
);

/** A user in each of two companies, a refusal in the first, a group by its administrator. */
async function prepare(subject: Subject): Promise<{ red: Team; blue: Team }> {
  const red = await createTeam(subject, 'red');
  const blue = await createTeam(subject, 'blue');
  for (const { admin } of [red, blue]) {
    await subject.call('POST', '/api/core/user-groups', { key: admin.key, form: { name: 'night shift' } });
  }
  await subject.call('POST', '/api/core/users', { key: red.admin.key });
  await subject.call('GET', COMPANIES, { key: red.member.key });
  return { red, blue };
}

onEachDatabase('Filters of Get audit logs', (subject) => {
  let teams: { red: Team; blue: Team };
  const total = async (query: string) => (await subject.call('GET', `${LIST}?${query}`)).json.total;

  it('narrow by company', async () => {
    teams = await prepare(subject);
    const { red, blue } = teams;
    expect(await total(`company_guids=${red.company}`)).toBe(3);
    expect(await total(`company_guids=${blue.company}`)).toBe(1);
    expect(await total(`company_guids=${red.company},${blue.company}`)).toBe(4);
    expect(await total(`company_guids=${red.company}&company_guids=${blue.company}`)).toBe(4);
  });

  it('compare company_guids in lower case, without complaint', async () => {
    expect(await total(`company_guids=${teams.red.company.toUpperCase()}`)).toBe(3);
    for (const text of ['x', 'null', '%27', '%25', '*', '00000000-0000-0000-0000-000000000000']) {
      expect(await total(`company_guids=${text}`)).toBe(0);
      expect(await total(`company_guids=${text},${teams.red.company}`)).toBe(3);
    }
    expect(await total(`company_guids=${teams.red.company.slice(0, -1)}`)).toBe(0);
  });

  it('take any number of values', async () => {
    const many = Array.from({ length: 70_000 }, (_, index) => index).join(',');
    for (const name of ['company_guids', 'categories', 'actions']) expect(await total(`${name}=${many}`)).toBe(0);
  });

  it.each([
    ['an English label', 'categories=User%20groups', 2],
    ['a Korean label', `categories=${encodeURIComponent('사용자 그룹')}`, 2],
    ['the stable code', 'categories=user-groups', 2],
    ['alternatives', `categories=user-groups,${encodeURIComponent('서비스')}`, 3],
    ['nothing for an unknown one', 'categories=nothing', 0],
    ['nothing for a part of a label', 'categories=User%20grou', 0],
    ['nothing for a name of the language', 'categories=__proto__,constructor,toString', 0],
  ])('take categories by %s', async (_, query, expected) => expect(await total(query)).toBe(expected));

  it.each([
    ['an English label', 'actions=Create%20user%20group', 2],
    ['a Korean label', `actions=${encodeURIComponent('사용자 그룹 생성')}`, 2],
    ['the stable code', 'actions=install', 1],
    ['alternatives of any language', `actions=Create%20user%20group,${encodeURIComponent('서비스 설치')}`, 3],
    ['nothing for an unknown one', 'actions=nothing', 0],
    ['nothing for a name of the language', 'actions=__proto__,constructor,toString', 0],
  ])('take actions by %s', async (_, query, expected) => expect(await total(query)).toBe(expected));

  it('narrow each other', async () => {
    const { red } = teams;
    const night = 'keywords=night,shift';
    expect(await total(night)).toBe(2);
    expect(await total(`${night}&company_guids=${red.company}`)).toBe(1);
    expect(await total(`${night}&company_guids=${red.company}&categories=users`)).toBe(0);
    expect(await total(`actions=create&categories=user-groups&company_guids=${red.company}`)).toBe(1);
    expect(await total(`categories=user-groups&from=2024-03-01 00:00:00%2B0000&${night}`)).toBe(2);
    expect(await total(`categories=user-groups&from=2024-03-01 00:00:01%2B0000&${night}`)).toBe(0);
  });

  it('find what a refused call left, and the refusal of a read', async () => {
    expect(await total(`company_guids=${teams.red.company}&keywords=no-permission`)).toBe(1);
    expect(await total(`company_guids=${teams.red.company}&keywords=should be not null`)).toBe(1);
  });
});
