// POST /stream-rules/test: which rules would match, what stops the others, and that nothing comes of it.

import { beforeAll, describe, expect, it } from 'vitest';
import { createTeam, type Team } from '#test/support/accounts.ts';
import { NOWHERE } from '#test/support/rules.ts';
import {
  createGroup,
  createStream,
  createStreamRule,
  eventsOf,
  STREAM_RULES,
  type Stream,
} from '#test/support/stream-rules.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const TEST = `${STREAM_RULES}/test`;

onEachDatabase('Testing stream rules', (subject) => {
  const { call } = subject;
  const tried = async (json: object) => (await call('POST', TEST, { json })).json;
  /** Lets time go by until it is answered. */
  async function passing<T>(answer: Promise<T>): Promise<T> {
    let isDone = false;
    void answer.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      subject.clock.advance({ seconds: 1 });
    }
    return await answer;
  }
  let stream: Stream;
  let team: Team;
  let logins = '';
  let local = '';
  let off = '';
  beforeAll(async () => {
    stream = await createStream(subject);
    const group = await createGroup(subject, '10.0.0.0/8');
    const { schema } = stream;
    const where = [
      { template_id: 1, query: 'search outcome=="failed"', ordinal: 10 },
      { template_id: 1, query: 'search user == "root" or count >= 5', ordinal: 20 },
    ];
    logins = await createStreamRule(subject, { schema, where, fields: { name: 'logins' } });
    const net = { template_id: 3, field_name: 'ip', args: { subnet: group }, invert: true };
    local = await createStreamRule(subject, { schema, where: [net], fields: { name: 'local' } });
    off = await createStreamRule(subject, { schema, where: ['search a'], fields: { name: 'off', enabled: 'false' } });
    team = await createTeam(subject, 'testers');
  });

  it('tells the rules in force that match, each with the row that would feed the event', async () => {
    const records = [{ outcome: 'failed', user: 'root', ip: '10.1.1.1', a: 1 }, { ip: '10.1.1.1' }, {}];
    const fields = { ...records[0], _time: '2024-03-01 00:00:00+0000' };
    expect(await tried({ records, schema_code: stream.schema })).toEqual({
      results: [
        { reason: null, matches: [{ guid: logins, name: 'logins', fields }], misses: [] },
        { reason: null, matches: [], misses: [] },
        { reason: null, matches: [{ guid: local, name: 'local', fields: { _time: fields._time } }], misses: [] },
      ],
      broken: [],
    });
    const { results } = await tried({ records: [records[0]], schema_code: 'another' });
    expect(results).toEqual([{ reason: null, matches: [], misses: [] }]);
  });

  it.each([{ guids: [] }, { commands: [] }, { guids: [], commands: [] }])(
    'takes %j for nothing given',
    async (empty) => {
      const given = { records: [{ outcome: 'failed', user: 'root', ip: '10.1.1.1' }], schema_code: stream.schema };
      const { results } = await tried({ ...given, ...empty });
      expect(results).toEqual((await tried(given)).results);
      expect(results[0].matches).toMatchObject([{ name: 'logins' }]);
    },
  );

  it('tells of rules that are named, disabled ones too, which condition stops a record and what it read', async () => {
    const records = '[{"outcome":"failed","user":"kim","count":2},{"outcome":"ok","a":9007199254740993}]';
    const body = `{"records":${records},"guids":["${logins}","${off}"]}`;
    const answer = await call('POST', TEST, { body, headers: { 'content-type': 'application/json' } });
    expect(answer.json.results[0]).toEqual({
      reason: null,
      matches: [],
      misses: [
        {
          guid: logins,
          name: 'logins',
          ordinal: 20,
          condition: 'search (user == "root") or (count >= 5)',
          invert: false,
          fields: { user: 'kim', count: 2 },
        },
        { guid: off, name: 'off', ordinal: 1, condition: 'search a', invert: false, fields: { a: null } },
      ],
    });
    expect(answer.text).toContain('"a":9007199254740993');
    expect(answer.json.results[1].misses).toMatchObject([
      { guid: logins, ordinal: 10, condition: 'search outcome == "failed"', fields: { outcome: 'ok' } },
    ]);
  });

  it('tries conditions that are being written', async () => {
    const commands = [
      { template_id: 1, query: 'search user == "kim"', invert: true },
      { template_id: 9, field_name: 'url', args: { text: '/ADMIN' } },
    ];
    const { results } = await tried({ records: [{ user: 'kim' }, { url: '/admin' }, { url: 1 }], commands });
    expect(results[0].misses).toEqual([
      { guid: null, name: null, ordinal: 1, condition: 'search user == "kim"', invert: true, fields: { user: 'kim' } },
    ]);
    expect(results[1].matches).toMatchObject([{ guid: null, name: null, fields: { url: '/admin' } }]);
    expect(results[2].misses).toMatchObject([{ ordinal: 2, fields: { url: 1 } }]);
  });

  it('tells of records that would be rejected why', async () => {
    const long = { text: 'x'.repeat(1024 * 1024) };
    const { results } = await tried({ records: [{ _time: 'never' }, long], guids: [logins] });
    expect(results).toEqual([
      { reason: 'invalid-time', matches: [], misses: [] },
      { reason: 'line-too-long', matches: [], misses: [] },
    ]);
  });

  describe('bounds the work for a record', () => {
    const nested = 'search len(foreach(foreach(foreach(_1 + 1, list), list), list)) > 0';
    const list = Array.from({ length: 450 }, (_, n) => n);
    const commands = [{ template_id: 1, query: nested }];

    it('with the reason too-long where a rule takes too many steps, and goes on with the next', async () => {
      const { results } = await tried({ records: [{ list }, { list: [1, 2] }, {}], commands });
      expect(results[0]).toEqual({ reason: 'too-long', matches: [], misses: [] });
      expect(results[1]).toMatchObject({ reason: null, matches: [{ guid: null }], misses: [] });
      expect(results[2]).toMatchObject({ reason: null, matches: [], misses: [{ ordinal: 1 }] });
    });

    it('and counts other rules by themselves', async () => {
      const dear = await createStreamRule(subject, {
        schema: stream.schema,
        where: [nested],
        fields: { name: 'dear' },
      });
      const json = { records: [{ list, outcome: 'failed', user: 'root' }], guids: [dear, logins] };
      expect((await tried(json)).results[0]).toMatchObject({ reason: 'too-long', matches: [{ guid: logins }] });
      await call('DELETE', STREAM_RULES, { json: { guids: [dear] } });
    });

    it('for ten parsejson of 900 kB', async () => {
      const text = JSON.stringify(Array.from({ length: 110_000 }, (_, n) => 1_000_000 + n));
      const query = Array.from({ length: 10 }, () => 'parsejson field=text').join(' | ');
      const { results } = await tried({ records: [{ text }], commands: [{ template_id: 1, query }] });
      expect(results[0]).toEqual({ reason: 'too-long', matches: [], misses: [] });
    });

    it('and for all of them: after five seconds it ends, and the next begins anew', async () => {
      // Each within what a record may take.
      const records = Array.from({ length: 1000 }, () => ({ list: list.slice(0, 30) }));
      const answer = call('POST', TEST, { json: { records, commands } });
      const late = outcome(await passing(answer));
      expect(late).toEqual(refused(500, 'illegal-state', 'test took too long'));
      expect((await tried({ records: [{ list: [1] }], commands })).results[0].reason).toBeNull();
    });
  });

  const many = Array.from({ length: 1001 }, () => ({}));
  const refusals: readonly (readonly [object, readonly [number, unknown]])[] = [
    [{}, refused(400, 'null-argument', 'records should be not null')],
    [{ records: 'x' }, refused(400, 'invalid-param-type', 'records should be json type')],
    [{ records: [1] }, refused(400, 'invalid-param-type', 'records should be json type')],
    [{ records: many }, refused(400, 'invalid-argument', "'records' must be less than or equal to 1000 items.")],
    [{ records: [{}], guids: [NOWHERE] }, refused(500, 'illegal-state', `stream rule not found: ${NOWHERE}`)],
    [
      { records: [{}], commands: [{ template_id: 99 }] },
      refused(500, 'illegal-state', 'command template not found: 99'),
    ],
    [
      { records: [{}], commands: [{ template_id: 1 }] },
      refused(400, 'null-argument', 'commands.query should be not null'),
    ],
  ];
  it.each(refusals)('refuses %j', async (json, refusal) => {
    expect(outcome(await call('POST', TEST, { json }))).toEqual(refusal);
  });

  it('refuses a text with a mistake', async () => {
    const { status, json } = await call('POST', TEST, {
      json: { records: [{}], commands: [{ template_id: 1, query: 'serach a' }] },
    });
    expect([status, json.error_code]).toEqual([400, 'invalid-query']);
  });

  it('is for everyone who may read rules, and leaves neither events nor audit entries', async () => {
    const total = async () => (await call('GET', '/api/core/audit-logs?limit=1')).json.total;
    const before = await total();
    const json = { records: [{ outcome: 'failed', user: 'root' }] };
    const { key } = team.member;
    expect((await call('POST', TEST, { key, json })).json.results[0].matches).toHaveLength(2);
    expect((await call('POST', TEST, { key: null, json })).status).toBe(401);
    expect(await eventsOf(subject, logins)).toEqual([]);
    expect([before > 0, await total()]).toEqual([true, before]);
  });
});
