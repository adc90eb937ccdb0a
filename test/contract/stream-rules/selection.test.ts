// Which logs a stream rule looks at, and when a change of it counts.

import { expect, it } from 'vitest';
import {
  createStream,
  createStreamRule,
  eventsOf,
  found,
  importRecords,
  ruleForm,
  STREAM_RULES,
} from '#test/support/stream-rules.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const WHERE = ['search status == 500'];
const HIT = { status: 500 };

onEachDatabase('A stream rule', (subject) => {
  const { call } = subject;

  it('makes an event of a record that fits, before the push is answered', async () => {
    const stream = await createStream(subject);
    const rule = await createStreamRule(subject, {
      schema: stream.schema,
      where: WHERE,
      fields: { msg: 'login of $user: $n' },
    });
    await stream.push({ n: 1, user: 'kim', status: 500, _time: '2024-02-29T23:59:58Z' }, { n: 2, status: 200 });
    const [event, ...others] = await eventsOf(subject, rule);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      rule_type: 'stream',
      rule_guid: rule,
      rule_version: 1,
      priority: 'HIGH',
      msg: 'login of kim: 1',
      count: 1,
      query_id: null,
      ticket_guid: null,
      first_time: '2024-02-29 23:59:58+0000',
      last_time: '2024-02-29 23:59:58+0000',
      fields: { n: 1, user: 'kim', status: 500, _table: stream.table, _time: '2024-02-29 23:59:58+0000' },
    });
  });

  it('looks at logs of its schema alone', async () => {
    const one = await createStream(subject);
    const other = await createStream(subject);
    const rule = await createStreamRule(subject, { schema: one.schema, where: WHERE });
    await other.push({ n: 1, ...HIT });
    await one.push({ n: 2, ...HIT, _schema: other.schema });
    expect(await found(subject, rule)).toEqual([2]);
  });

  it('looks at no log of a table without a schema', async () => {
    const stream = await createStream(subject);
    const bare = await createStream(subject, { schema: null });
    const rule = await createStreamRule(subject, { schema: stream.schema, where: WHERE });
    await bare.push({ n: 1, ...HIT, _schema: stream.schema });
    await importRecords(subject, bare.table, [{ n: 2, ...HIT }]);
    expect(await found(subject, rule)).toEqual([]);
  });

  const selections = [
    { what: 'every logger, uploads and tables', fields: () => ({}), finds: [1, 2, 3, 5] },
    { what: 'a logger', fields: (one: Stream) => ({ logger_guids: one.logger }), finds: [1] },
    {
      what: 'a logger, though it says models',
      fields: (one: Stream) => ({ logger_guids: one.logger, source_type: 'LOGGER_MODEL' }),
      finds: [1, 2, 3, 5],
    },
    {
      what: 'a model',
      fields: (_: Stream, two: Stream) => ({ logger_model_guids: two.model, source_type: 'LOGGER_MODEL' }),
      finds: [2],
    },
    {
      what: 'a model, though it says loggers',
      fields: (_: Stream, two: Stream) => ({ logger_model_guids: two.model }),
      finds: [1, 2, 3, 5],
    },
    {
      what: 'both of two loggers',
      fields: (one: Stream, two: Stream) => ({ logger_guids: `${one.logger},${two.logger}` }),
      finds: [1, 2],
    },
  ];
  it.each(selections)('that names $what finds $finds', async ({ fields, finds }) => {
    const one = await createStream(subject);
    const two = await createStream(subject, { schema: one.schema });
    const rule = await createStreamRule(subject, { schema: one.schema, where: WHERE, fields: fields(one, two) });
    await one.push({ n: 1, ...HIT });
    await two.push({ n: 2, ...HIT });
    await importRecords(subject, two.table, [{ n: 3, ...HIT }, { n: 4 }]);
    await call('POST', `/api/core/tables/${two.table}/logs`, { json: [{ n: 5, ...HIT }, { n: 6 }] });
    expect(await found(subject, rule)).toEqual(finds);
  });

  it('that is disabled looks at nothing, and goes on when it is enabled', async () => {
    const stream = await createStream(subject);
    const rule = await createStreamRule(subject, { schema: stream.schema, where: WHERE, fields: { enabled: 'false' } });
    await stream.push({ n: 1, ...HIT });
    await call('POST', `${STREAM_RULES}/${rule}/enable`);
    await stream.push({ n: 2, ...HIT });
    await call('POST', `${STREAM_RULES}/${rule}/disable`);
    await stream.push({ n: 3, ...HIT });
    expect(await found(subject, rule)).toEqual([2]);
  });

  it('judges the next log as it is after an update, a restore and a removal', async () => {
    const stream = await createStream(subject);
    const { schema } = stream;
    const rule = await createStreamRule(subject, { schema, where: WHERE });
    const both = [{ status: 500 }, { status: 404 }];
    const pushBoth = (n: number) => stream.push(...both.map((record, at) => ({ n: n + at, ...record })));
    await pushBoth(10);
    await call('PUT', `${STREAM_RULES}/${rule}`, { form: ruleForm({ schema, where: ['search status == 404'] }) });
    await pushBoth(20);
    expect((await call('POST', `${STREAM_RULES}/${rule}/versions/1/restore`)).json.result).toBe(true);
    await pushBoth(30);
    await call('DELETE', STREAM_RULES, { form: { guids: rule } });
    await pushBoth(40);
    expect(await found(subject, rule)).toEqual([10, 21, 30]);
    expect((await eventsOf(subject, rule)).map(({ rule_version }) => rule_version)).toEqual([1, 2, 3]);
  });

  it('is in force again after a restart', async () => {
    const stream = await createStream(subject);
    const rule = await createStreamRule(subject, { schema: stream.schema, where: WHERE });
    await subject.service.restart();
    await stream.push({ n: 1, ...HIT });
    expect(await found(subject, rule)).toEqual([1]);
  });
});

type Stream = Awaited<ReturnType<typeof createStream>>;
