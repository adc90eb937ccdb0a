// Procedures called by queries: with their parameters, and with the rights of their owner.

import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount, created, createTeam, type Team } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { isFinished, openCursor, reached } from '#test/support/queries.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const PROCEDURES = '/api/core/procedures';
const mistake = (message: string) => refused(400, 'invalid-query', message);
const MINIMAL = JSON.stringify([{ key: 'least', type: 'long' }]);

onEachDatabase('A procedure', (subject) => {
  const { call } = subject;
  const teams: Team[] = [];
  const ours = () => teams[0] as Team;
  const theirs = () => teams[1] as Team;
  const make = (name: string, query: string, more: Record<string, string> = {}) =>
    created(subject, PROCEDURES, { name, query, ...more });
  const ask = async (q: string, key?: string) =>
    outcome(await call('GET', `/api/core/query?q=${encodeURIComponent(q)}`, key === undefined ? {} : { key }));
  const numbers = async (q: string, key?: string) =>
    (await rowsOf(subject, q, key === undefined ? {} : { key })).map((row) => sent(row).n);

  beforeAll(async () => {
    teams.push(await createTeam(subject, 'ours'), await createTeam(subject, 'theirs'));
    const logger = await createLogger(subject, { table: 'secret' });
    await push(subject, logger, { body: '{"n":1}\n{"n":2}\n{"n":5}' });
    await make('busy', 'table order=asc secret | search n >= $("least")', { parameters: MINIMAL });
  });

  it('runs with its arguments, converted to the types of its parameters', async () => {
    expect(await numbers('proc busy(1 + 1)')).toEqual([2, 5]);
    expect(await numbers('proc busy("5") | eval n = n * 10')).toEqual([50]);
    expect(await numbers('json "{n:7}" | union [ proc busy(5) ]')).toEqual([7, 5]);
    expect(await numbers('proc busy(null)')).toEqual([]);
  });

  it('shows its arguments as constants of the run, the first of equal keys', async () => {
    const constants = async (q: string, params = {}) => {
      const { json } = await call('POST', '/api/core/cursors', { json: { q, params } });
      return (await call('GET', `/api/core/queries/${json.id}?wait=10`)).json.constants;
    };
    expect(await constants('proc busy("2")')).toEqual({ least: '2' });
    expect(await constants('set a = 3 | proc busy($("a")) | union [ proc busy(7) ]')).toEqual({ a: 3, least: 3 });
    expect(await constants('proc busy(1 + 1)', { least: 9, secret: 'x' })).toEqual({ least: 9, secret: 'x' });
    expect(await constants('proc busy(null)')).toEqual({ least: null });
  });

  it.each([
    ['proc bizy(1)', '(10300) there is no procedure bizy at 1:6'],
    ['proc busy()', '(10301) arguments of busy: 1 expected, 0 found at 1:6'],
    ['proc busy(1, 2)', '(10301) arguments of busy: 1 expected, 2 found at 1:6'],
    ['proc busy("many")', '(10302) argument least must be of type long at 1:11'],
  ])('refuses %s before anything runs', async (q, message) => {
    expect(await ask(q)).toEqual(mistake(message));
  });

  it('is suggested only to those who may run it', async () => {
    const suggestion = async (key: string) =>
      (await call('POST', '/api/core/queries/check', { key, form: { q: 'proc bussy(1)' } })).json.mistakes[0]
        .suggestion;
    expect(await suggestion(ours().admin.key)).toBe('busy');
    expect(await suggestion(ours().member.key)).toBeNull();
  });

  it('has a name of letters, digits, - and ., or one in quotation marks', async () => {
    const names = {
      '80_db-list.all': 'proc 80_db-list.all()',
      'my “own” proc': undefined,
      'cafe\u0301 1': 'proc "café 1"()',
    };
    for (const [name, query] of Object.entries(names)) {
      const form = { name, query: `json "{'n':1}"` };
      const answer = outcome(await call('POST', PROCEDURES, { form }));
      if (query === undefined) {
        expect(answer).toEqual([
          400,
          { error_code: 'invalid-argument', error_msg: `'name' cannot be used in a query: ${name}` },
        ]);
      } else expect(await numbers(query)).toEqual([1]);
    }
    for (const name of ['a"b', 'a\\b', 'a\nb', 'a\u0085b', 'a„b', 'a＂b']) {
      const { json } = await call('POST', PROCEDURES, { form: { name, query: 'json "{}"' } });
      expect(json.error_msg).toBe(`'name' cannot be used in a query: ${name}`);
    }
    const guid = await make('renamed', 'json "{}"');
    const { json } = await call('PUT', `${PROCEDURES}/${guid}`, { form: { name: 'a"b', query: 'json "{}"' } });
    expect(json.error_msg).toBe(`'name' cannot be used in a query: a"b`);
  });

  it('does not exist for a MEMBER that it is not granted to, nor is it public for', async () => {
    const { member } = ours();
    expect(await ask('proc busy(1)', member.key)).toEqual(mistake('(10300) there is no procedure busy at 1:6'));
    const { json } = await call('GET', PROCEDURES, { key: member.key });
    expect(json).toEqual({ total_count: 0, procedures: [] });
  });

  it('runs for those it is granted to with the rights of its owner, in its own commands only', async () => {
    const { member } = ours();
    await make('shared', 'table order=asc secret | search n > 1', { granted_user_guids: member.guid });
    expect(await numbers('proc shared()', member.key)).toEqual([2, 5]);
    expect(await ask('table secret', member.key)).toEqual(mistake('(10001) there is no table secret at 1:7'));
    expect(await ask('proc shared() | union [ table secret ]', member.key)).toEqual(
      mistake('(10001) there is no table secret at 1:31'),
    );
    expect(await ask('proc shared()', theirs().member.key)).toMatchObject([400, { error_code: 'invalid-query' }]);
  });

  it('runs for a group, and for the company it is public in', async () => {
    const { member, company } = ours();
    const form = { name: 'readers', user_guids: member.guid, company_guid: company };
    const group = await created(subject, '/api/core/user-groups', form);
    await make('grouped', 'table order=asc secret | search n > 1', { granted_group_guids: group });
    expect(await numbers('proc grouped()', member.key)).toEqual([2, 5]);
    const own = { name: 'ours only', query: 'table order=asc secret | limit 1', company_public: 'true' };
    const answer = await call('POST', PROCEDURES, { key: ours().admin.key, form: own });
    expect(answer.status).toBe(200);
    expect(await numbers('proc field("ours only")()', member.key)).toEqual([1]);
    const other = await ask('proc field("ours only")()', theirs().member.key);
    expect(other).toEqual(mistake('(10300) there is no procedure ours only at 1:6'));
    await call('DELETE', '/api/core/user-groups', { form: { guids: group } });
    expect((await ask('proc grouped()', member.key))[0]).toBe(400);
  });

  it('sees with its owner’s eyes in system objects, in procedures that it calls, and in setq', async () => {
    const { member } = ours();
    const granted = { granted_user_guids: member.guid };
    await make('listing', 'system tables | fields table_name', granted);
    expect(await rowsOf(subject, 'proc listing()', { key: member.key })).toEqual([{ table_name: 'secret' }]);
    const both = 'system tables | union [ proc listing() ] | fields table_name';
    expect(await rowsOf(subject, both, { key: member.key })).toEqual([{ table_name: 'secret' }]);
    await make('outer', 'proc busy(2)', granted);
    expect(await numbers('proc outer()', member.key)).toEqual([2, 5]);
    await make('largest', 'setq [ table secret | stats max(n) as m ] | table secret | search n == $("m")', granted);
    expect(await numbers('proc largest()', member.key)).toEqual([5]);
  });

  it('that calls itself ends sixteen deep', async () => {
    const guid = await make('endless', `json "{'n':1}"`);
    const form = { name: 'endless', query: 'proc endless()' };
    expect(outcome(await call('PUT', `${PROCEDURES}/${guid}`, { form }))).toMatchObject([200, {}]);
    expect(await ask('proc endless()')).toEqual(mistake('(10304) procedure depth: 17 is more than 16 at 1:6'));
  });

  it('does not make a query grow without end by calling others twice each', async () => {
    await make('level0', `json "{'n':1}"`);
    const answers: unknown[] = [];
    for (let level = 1; level <= 12; level += 1) {
      const below = `proc level${level - 1}()`;
      const form = { name: `level${level}`, query: `${below} | union [ ${below} ]` };
      answers.push(outcome(await call('POST', PROCEDURES, { form })));
    }
    expect(answers[4]).toMatchObject([200, {}]);
    expect(answers.slice(-1)).toMatchObject([[400, { error_code: 'invalid-query' }]]);
    expect(JSON.stringify(answers)).toMatch(/\(90009\) commands of the query: \d+ is more than \d+ at/);
  });

  it('belongs to the account that changes its query, and stays with its owner otherwise', async () => {
    const { admin } = ours();
    const guid = await make('kept', 'table secret | stats count');
    const update = (form: Record<string, string>) =>
      call('PUT', `${PROCEDURES}/${guid}`, { key: admin.key, form: { name: 'kept', ...form } });
    const owner = async () => (await call('GET', `${PROCEDURES}/${guid}`)).json.procedure.owner_login_name;
    await update({ query: 'table secret | stats count', description: 'counts' });
    expect(await owner()).toBe('master');
    // The text of one account never runs with the rights of another.
    await update({ query: 'system audit' });
    expect(await owner()).toBe('master');
    await update({ query: 'table secret | limit 1' });
    expect(await owner()).toBe(admin.login);
  });

  it('runs for nobody when its owner has gone, and loses rights with its owner', async () => {
    const owner = await createAccount(subject, 'ADMIN', { login: 'leaving', company_guid: ours().company });
    const form = { name: 'orphan', query: 'table order=asc secret', company_public: 'true' };
    const guid = (await call('POST', PROCEDURES, { key: owner.key, form })).json.guid;
    expect(await numbers('proc orphan()', ours().member.key)).toEqual([1, 2, 5]);
    await call('PUT', `/api/core/users/${owner.guid}`, { form: { login: 'leaving', name: 'leaving', role: 'MEMBER' } });
    expect(await ask('proc orphan()', ours().member.key)).toEqual(mistake('(10001) there is no table secret at 1:6'));
    await call('DELETE', '/api/core/users', { form: { guids: owner.guid } });
    expect(await ask('proc orphan()')).toEqual(mistake('(10303) no right to run procedure orphan at 1:6'));
    const { procedure } = (await call('GET', `${PROCEDURES}/${guid}`)).json;
    expect(procedure).toMatchObject({ owner_guid: owner.guid, owner_name: null, owner_login_name: null });
  });

  it('sees the lookups in memory of its owner, never those of who calls it', async () => {
    const { member, admin } = ours();
    const build = (key: string, v: string) =>
      rowsOf(subject, `json "{k:1,v:'${v}'}" | memlookup op=build name=m key=k v`, { key });
    const granted_user_guids = member.guid;
    const form = (name: string, query: string) => ({ name, query, granted_user_guids });
    await build(admin.key, 'of the owner');
    for (const [name, query] of [
      ['looking', 'json "{k:1}" | lookup m k output v | fields v'],
      ['showing', 'lookuptable m v'],
      ['naming', 'memlookup op=list | fields name, rows'],
    ] as const) {
      const answer = await call('POST', PROCEDURES, { key: admin.key, form: form(name, query) });
      expect(answer.status, answer.text).toBe(200);
    }
    const asked = (q: string) => rowsOf(subject, q, { key: member.key });
    for (const round of ['none of its own', 'of the caller']) {
      if (round === 'of the caller') await build(member.key, round);
      expect(await asked('proc looking()')).toEqual([{ v: 'of the owner' }]);
      expect(await asked('proc showing()')).toEqual([{ v: 'of the owner' }]);
      expect(await asked('proc naming()')).toEqual([{ name: 'm', rows: 1 }]);
    }
    expect(await asked('proc showing() | union [ lookuptable m v ]')).toEqual([
      { v: 'of the owner' },
      { v: 'of the caller' },
    ]);
    await asked('memlookup op=drop name=m');
    expect(await asked('proc looking()')).toEqual([{ v: 'of the owner' }]);
  });

  it('is named by the removal of its owner, and by its own, with who calls it', async () => {
    const owner = await createAccount(subject, 'ADMIN', { login: 'going', company_guid: ours().company });
    const form = { name: 'left', query: `json "{'n':1}"`, company_public: 'true' };
    const guid = (await call('POST', PROCEDURES, { key: owner.key, form })).json.guid;
    const caller = await make('calling', 'proc left() | union [ proc left() ]');
    const dataset = await created(subject, '/api/core/datasets', {
      name: 'of left',
      query: 'json "{}" | union [ proc left() ]',
      shared_users: '[]',
      shared_groups: '[]',
    });
    await make('not calling', `json "{'text':'proc left()'}"`);
    const dry = (await call('DELETE', PROCEDURES, { form: { guids: guid, dry_run: 'true' } })).json;
    expect(dry).toEqual({
      failures: [],
      references: [
        { id: guid, kind: 'dataset', guid: dataset, name: 'of left', field: 'query' },
        { id: guid, kind: 'procedure', guid: caller, name: 'calling', field: 'query' },
      ],
    });
    const removed = (await call('DELETE', '/api/core/users', { form: { guids: owner.guid } })).json;
    expect(removed).toEqual({
      failures: [],
      references: [{ id: owner.guid, kind: 'procedure', guid, name: 'left', field: 'owner_guid' }],
    });
    expect(await ask('proc calling()')).toEqual(mistake('(10303) no right to run procedure left at 1:6'));
  });

  it('runs in a cursor, and counts as one query', async () => {
    const id = await openCursor(subject, 'proc busy($("from"))', { params: { from: 2 } });
    const status = await reached(subject, id, isFinished);
    expect(status).toMatchObject({ rows: 2, is_cancelled: false, constants: { from: 2 } });
  });
});

onEachDatabase('The text of a procedure', (subject) => {
  const { call } = subject;
  const people: { member?: Account } = {};
  const make = async (form: Record<string, string>) => outcome(await call('POST', PROCEDURES, { form }));
  const keyed = (key: string) => JSON.stringify([{ key, type: 'string' }]);

  beforeAll(async () => {
    people.member = await createAccount(subject, 'MEMBER', { login: 'member' });
  });

  it.each([
    [{ query: 'table' }, /^\(\d+\) .* at 1:\d+$/],
    [{ query: `json "{'a':1}" | import nowhere` }, /^\(30000\) /],
    [{ query: 'table nowhere' }, /^\(10001\) there is no table nowhere at 1:7$/],
  ])('is checked: %j', async (form, message) => {
    const [status, body] = await make({ name: 'x', ...form });
    expect([status, body]).toMatchObject([
      400,
      { error_code: 'invalid-query', error_msg: expect.stringMatching(message) },
    ]);
  });

  it.each([
    [`json "{'a':1}" | limit $("n")`, 'long'],
    [`json "{'a':1}" | search a == $("n")`, 'string'],
    [`set later = $("n") | json "{'a':1}" | search a < $("later")`, 'date'],
  ])('may read its parameters wherever a value may stand: %s', async (query, type) => {
    const parameters = JSON.stringify([{ key: 'n', type }]);
    expect((await make({ name: `with ${type}`, query, parameters }))[0]).toBe(200);
  });

  it.each([
    ['x', refused(400, 'invalid-param-type', 'parameters should be json type')],
    ['{}', refused(400, 'invalid-param-type', 'parameters should be json type')],
    ['[{"type":"long"}]', refused(400, 'null-argument', 'parameters.key should be not null')],
    ['[{"key":"a"}]', refused(400, 'null-argument', 'parameters.type should be not null')],
    [
      '[{"key":"a","type":"int"}]',
      refused(
        400,
        'invalid-argument',
        "parameters.type value must be one of 'string', 'long', 'double', 'bool', 'date'.",
      ),
    ],
    [
      `[${keyed('a').slice(1, -1)},${keyed('a').slice(1, -1)}]`,
      refused(400, 'invalid-argument', "'parameters' must not have the same name twice: a"),
    ],
    [keyed('_from'), refused(400, 'invalid-argument', "'parameters.key' must not begin with an underscore: _from")],
  ])('has parameters of a form: %s', async (parameters, complaint) => {
    expect(await make({ name: 'x', query: `json "{'a':1}"`, parameters })).toEqual(complaint);
  });

  it('is granted to users and groups that exist', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    const query = `json "{'a':1}"`;
    const found = (thing: string) => refused(500, 'illegal-state', `${thing} not found: ${nobody}`);
    expect(await make({ name: 'x', query, granted_user_guids: nobody })).toEqual(found('user'));
    expect(await make({ name: 'x', query, granted_group_guids: nobody })).toEqual(found('user group'));
  });
});

onEachDatabase('A procedure that is a command', (subject) => {
  const { call } = subject;
  const make = (name: string, query: string, more: Record<string, string> = {}) =>
    created(subject, PROCEDURES, { name, query, command: 'true', ...more });
  const rows = (q: string, key?: string) => rowsOf(subject, q, key === undefined ? {} : { key });
  const ask = async (q: string, key?: string) =>
    outcome(await call('GET', `/api/core/query?q=${encodeURIComponent(q)}`, key === undefined ? {} : { key }));
  const people: { member?: Account; owner?: Account } = {};
  const key = () => people.member?.key ?? '';

  beforeAll(async () => {
    people.member = await createAccount(subject, 'MEMBER', { login: 'member' });
    people.owner = await createAccount(subject, 'ADMIN', { login: 'owner' });
    const logger = await createLogger(subject, { table: 'agents' });
    await push(subject, logger, { body: '{"os":"linux"}\n{"os":"windows"}' });
    await make('sentry', 'table agents | search isnull($("kind")) or os == $("kind") | fields os', {
      parameters: JSON.stringify([{ key: 'kind', type: 'string', description: 'Operating system.' }]),
      granted_user_guids: people.member.guid,
    });
  });

  it('runs by its name, with the rights of its owner, for those who may run it', async () => {
    expect(await rows('sentry linux | eval a = 1')).toEqual([{ os: 'linux', a: 1 }]);
    expect(await rows('sentry kind=windows', key())).toEqual([{ os: 'windows' }]);
    expect(await rows('proc sentry("linux")', key())).toEqual([{ os: 'linux' }]);
    expect(await rows('json "[]" | union [ sentry | stats count ]', key())).toEqual([{ count: 2 }]);
    await make('secret-agents', 'sentry | limit 1');
    expect(await ask('secret-agents', key())).toMatchObject([400, { error_code: 'invalid-query' }]);
    expect(await rows('secret-agents')).toHaveLength(1);
  });

  it('is known to the check of a text, with its warnings and hints', async () => {
    const check = async (q: string) =>
      (await call('POST', '/api/core/queries/check', { key: key(), form: { q } })).json;
    expect(await check('sentry   "linux"')).toMatchObject({
      mistakes: [],
      normalized: 'sentry linux',
      commands: [{ name: 'sentry', kind: 'driver', begin: 0, end: 16 }],
      columns: [{ name: 'os' }],
      changes: false,
    });
    expect((await check('senrty')).mistakes).toMatchObject([{ code: 92000, suggestions: ['sentry'] }]);
    expect((await check('secret-agenst')).mistakes).toMatchObject([{ code: 92003, suggestions: [] }]);
    expect((await check('sentry a b')).mistakes).toMatchObject([{ code: 10301, begin: 9, end: 10 }]);
  });

  it('is listed apart, with its parameters', async () => {
    const list = async (command: string) =>
      (await call('GET', `${PROCEDURES}?command=${command}`, { key: key() })).json.procedures.map(
        ({ name }: { name: string }) => name,
      );
    expect(await list('true')).toEqual(['sentry']);
    expect(await list('false')).toEqual([]);
  });

  it.each(['limit', 'by', 'where', 'WHERE', 'count', '1st', 'a b', 'a.b', 'x'.repeat(51)])(
    'cannot be called %s',
    async (name) => {
      const complaint = refused(400, 'invalid-argument', `'name' cannot be used as a command: ${name}`);
      const form = { name, query: 'json "{}"', command: 'true' };
      expect(outcome(await call('POST', PROCEDURES, { form }))).toEqual(complaint);
      const guid = await created(subject, PROCEDURES, { name, query: 'json "{}"' });
      expect(outcome(await call('PUT', `${PROCEDURES}/${guid}`, { form }))).toEqual(complaint);
    },
  );

  it.each(['confdb', '센트리', 'x'.repeat(50), 'hot-list_2'])('may be called %s', async (name) => {
    await make(name, 'json "{n:1}"');
    expect(await rows(name)).toEqual([{ n: 1 }]);
  });

  it('stays a command in an update that does not say, and is none any more where one says so', async () => {
    const guid = await make('kept', 'json "{n:1}"');
    const put = async (form: Record<string, string>) =>
      outcome(await call('PUT', `${PROCEDURES}/${guid}`, { form: { query: 'json "{n:2}"', ...form } }));
    expect((await put({ name: 'kept' }))[0]).toBe(200);
    expect(await rows('kept')).toEqual([{ n: 2 }]);
    expect(await put({ name: 'a b' })).toEqual(
      refused(400, 'invalid-argument', `'name' cannot be used as a command: a b`),
    );
    expect((await put({ name: 'kept', command: 'false' }))[0]).toBe(200);
    const { json } = await call('POST', '/api/core/queries/check', { form: { q: 'kept' } });
    expect(json).toMatchObject({ mistakes: [{ code: 92000, begin: 0, end: 4 }], hints: [{ code: 91058 }] });
    await call('DELETE', PROCEDURES, { form: { guids: guid } });
    expect(await ask('kept')).toEqual(mistake('(92000) there is no command kept at 1:1'));
  });

  it('that calls itself ends sixteen deep', async () => {
    const guid = await make('endless', 'json "{}"');
    const form = { name: 'endless', query: 'endless' };
    expect((await call('PUT', `${PROCEDURES}/${guid}`, { form })).status).toBe(200);
    expect(await ask('endless')).toEqual(mistake('(10304) procedure depth: 17 is more than 16 at 1:1'));
  });

  it('cannot be run any more once its owner has gone', async () => {
    await make('orphan', 'json "{}"');
    const { json } = await call('GET', `${PROCEDURES}?keywords=orphan`);
    const own = await call('PUT', `${PROCEDURES}/${json.procedures[0].guid}`, {
      key: people.owner?.key ?? '',
      form: { name: 'orphan', query: 'json "{n:1}"' },
    });
    expect(own.status).toBe(200);
    await call('DELETE', '/api/core/users', { form: { guids: people.owner?.guid ?? '' } });
    expect(await ask('orphan')).toEqual(mistake('(10303) no right to run procedure orphan at 1:1'));
  });

  it('is no command of a stream rule or a parser', async () => {
    const form = { code: 'own', name: 'own', factory_name: 'query', configs: JSON.stringify({ query: 'sentry' }) };
    expect(outcome(await call('POST', '/api/core/parsers', { form }))).toMatchObject([
      400,
      { error_code: 'invalid-query', error_msg: expect.stringMatching(/^\(92002\) /) },
    ]);
  });

  it('is referred to by the texts that run it', async () => {
    const guid = await make('watched', 'json "{}"');
    await make('using', 'json "{}" | union [ watched ]');
    const { json } = await call('DELETE', PROCEDURES, { form: { guids: guid, dry_run: 'true' } });
    expect(json.references).toMatchObject([{ name: 'using' }]);
  });
});
