// Records made to take long: whoever sends or tries one holds nobody up, and what arrives is kept. Measured in processor time
// of the main thread, for a busy machine is late by itself; by how much stands beside it.

import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { created } from '#test/support/accounts.ts';
import { push } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { ask, type Caller, linesOf, ran } from '#test/support/queries.ts';
import { createSchema } from '#test/support/rules.ts';
import { MASTER_KEY, send } from '#test/support/service.ts';
import { createStream, createStreamRule, eventsOf, STREAM_RULES } from '#test/support/stream-rules.ts';
import { attemptsWithin, PROBE, probed } from './holders.ts';

/** Of a turn of the main thread. */
const MAX_MS = 100;

const nested = 'eval x = foreach(foreach(foreach(_1 + 1, list), list), list)';
const parsed = Array.from({ length: 10 }, () => 'parsejson field=text').join(' | ');
const list = Array.from({ length: 450 }, (_, n) => n);
/** Of two letters in no order, always the same. */
const scattered = Array.from({ length: 60_000 }, (_, n) =>
  ((n * n * 7919 + n * 104_729) % 65_537) % 2 === 0 ? 'a' : 'b',
).join('');
const hostile: readonly (readonly [name: string, record: object, query: string])[] = [
  ['a list of 450 in three nested foreach()', { list }, nested],
  [
    '900 kB in ten parsejson',
    { text: JSON.stringify(Array.from({ length: 110_000 }, (_, n) => 1_000_000 + n)) },
    parsed,
  ],
  ['numbers in ten parsejson', { text: `[${'0,'.repeat(400_000)}0]` }, parsed],
  ['a pattern that looks everywhere', { text: 'a'.repeat(20_000) }, 'eval x = replace(text, "(a[^x]*x)|a", "", "re")'],
  ['a pattern of many states', { text: `${scattered}d` }, 'search match(text, "a[ab]{50}d*d")'],
];

/** Rules that are done with a record, and those that are not, of batches of long records. */
const batches: readonly (readonly [name: string, record: object, count: number, rules: readonly string[]])[] = [
  ['lists in ten parsejson', { text: `[${'0,'.repeat(400_000)}0]` }, 10, [parsed.replaceAll('text', 'text overlay=t')]],
  [
    'a number of 900,000 digits in ten parsejson',
    { text: `[${'7'.repeat(900_000)}]` },
    10,
    [parsed.replaceAll('text', 'text overlay=t')],
  ],
  [
    '60,000 keys in a parsejson',
    { text: `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join()}}` },
    2,
    ['parsejson field=text overlay=t | search q == 1'],
  ],
  [
    'one letter that many rules look for',
    { text: 'x'.repeat(900_000) },
    10,
    Array.from({ length: 40 }, (_, n) => `search text == "*x*${n}"`),
  ],
  ['letters of two cases', { text: 'É'.repeat(400_000) }, 3, ['search eqi(text, "*a*b")', 'search eqi(text, "*é*c")']],
];

describe('Hostile records', () => {
  const home = makeHome();
  let service: Caller;
  let child: ChildProcess;
  beforeAll(async () => {
    const running = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY }, { probe: PROBE });
    const url = await running.ready();
    service = { call: (method, path, how) => send(`${url}${path}`, method, how) };
    child = running.child;
    // The first trial and the first rows load the language.
    await service.call('POST', `${STREAM_RULES}/test`, {
      json: { records: [{}], commands: [{ template_id: 1, query: 'search a' }] },
    });
  });
  afterAll(() => home[Symbol.dispose]());

  /** How often the work was done until no turn of it took long. */
  const holdsNobody = (work: () => Promise<void>): Promise<number> =>
    attemptsWithin(MAX_MS, async () => {
      await probed(child, 'begin');
      // Whatever comes of it: the next one begins anew.
      const ended = await Promise.allSettled([work()]);
      const held = await probed(child, 'found');
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
      return held;
    });

  const rowsOf = async (q: string) => linesOf(await ask(service, { q, format: 'json' }));

  const metric = async (kind: string): Promise<number> => {
    const { text } = await service.call('GET', '/metrics', { key: null });
    return Number(new RegExp(`vigil_rule_steps_exceeded_total\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1]);
  };

  it.each(hostile)('are tried: %s', async (_, record, query) => {
    await holdsNobody(async () => {
      const commands = [{ template_id: 1, query }];
      const { status, json } = await service.call('POST', `${STREAM_RULES}/test`, {
        json: { records: [record], commands },
      });
      expect([status, json.results?.[0]?.reason]).toEqual([200, 'too-long']);
    });
  });

  it.each(hostile)('are pushed to a stream rule, and kept: %s', async (_, record, query) => {
    const stream = await createStream(service);
    const dear = await createStreamRule(service, { schema: stream.schema, where: [query] });
    const plain = await createStreamRule(service, { schema: stream.schema, where: ['search n == 1'] });
    const before = await metric('stream');
    const times = await holdsNobody(() => stream.push({ ...record, n: 1 }, { n: 1 }));
    expect([(await eventsOf(service, plain)).length > 0, await metric('stream')]).toEqual([true, before + times]);
    expect(await rowsOf(`table ${stream.table} | stats count`)).toEqual([{ count: 2 * times }]);
    await service.call('DELETE', STREAM_RULES, { json: { guids: [dear, plain] } });
  });

  it.each(batches)('are judged in turns: %s', async (_, record, count, queries) => {
    const stream = await createStream(service);
    const guids: string[] = [];
    for (const query of [...queries, 'search n == 1'])
      guids.push(await createStreamRule(service, { schema: stream.schema, where: [query] }));
    // The first one is read by code that is not known yet.
    await stream.push(record);
    const times = await holdsNobody(() => stream.push(...Array.from({ length: count }, () => ({ ...record, n: 1 }))));
    expect(await eventsOf(service, guids.at(-1) ?? '')).not.toEqual([]);
    expect(await rowsOf(`table ${stream.table} | stats count`)).toEqual([{ count: times * count + 1 }]);
    await service.call('DELETE', STREAM_RULES, { json: { guids } });
  });

  it('are not read by the main thread where a query makes a long list of them', async () => {
    const stream = await createStream(service);
    await stream.push({ list: Array.from({ length: 999 }, (_, n) => n) });
    const made = `table ${stream.table} | eval x = foreach(list, list) | eval y = flatten(x)`;
    await holdsNobody(async () => {
      expect(await rowsOf(`${made} | eval n = len(y) | fields n`)).toEqual([{ n: 998_001 }]);
      const status = await ran(service, `${made} | eval z = foreach(y, y) | eval n = len(z) | fields n`);
      expect(status).toMatchObject({ error_code: 93010 });
    });
  });

  it.each(hostile)(
    'are pushed to a rule of a logger model, and kept as they came: %s',
    async (_, record, stream_query) => {
      const schema = `m${newGuid().slice(0, 8)}`;
      await createSchema(service, schema);
      const rules = JSON.stringify([{ name: 'dear', log_schema_code: schema, stream_query }]);
      const fields = { name: schema, logger_factory_name: 'http', parser_code: 'json', rules };
      const model = await created(service, '/api/core/logger-models', fields);
      const stream = await createStream(service, { model, schema: null });
      const before = await metric('model');
      const times = await holdsNobody(() => stream.push({ ...record, n: 1 }));
      expect(await metric('model')).toBe(before + times);
      const kept = Array.from({ length: times }, () => ({ n: 1 }));
      expect(await rowsOf(`table ${stream.table} | fields n, _schema`)).toEqual(kept);
    },
  );

  // A row in a thread holds nobody up whatever its pattern: characters count.
  it.each(hostile.slice(0, -1))('end a query whose rows run locally with 93010: %s', async (_, record, query) => {
    const stream = await createStream(service);
    await push(service, stream.logger, { body: JSON.stringify(record) });
    await holdsNobody(async () => {
      const q = `table ${stream.table} | evalc a = 1 | ${query}`;
      const status = await ran(service, q);
      // By the elements that it would make, or by the steps that it takes.
      const error_detail = expect.stringMatching(/^list elements or steps of a row: (100001|1000001) is more than /);
      expect(status).toMatchObject({ error_code: 93010, error_detail });
    });
  });
});
