// Much at once: pushes of the same key, and rules that change under pushes.

import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { TICKETS } from '#test/support/detection.ts';
import type { Wire } from '#test/support/service.ts';
import { createStream, createStreamRule, eventsOf, ruleForm, STREAM_RULES } from '#test/support/stream-rules.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const TIME = 1_700_000_000_000;
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

onEachDatabase('Stream rules', (subject) => {
  const { call } = subject;

  it('make one event with the right count of 50 pushes at once', async () => {
    const { schema, push } = await createStream(subject);
    const fields = { suppress_key: '$user', event_suppress_interval: '3600' };
    const rule = await createStreamRule(subject, { schema, where: ['search n >= 0'], fields });
    const match = (n: number) => ({ n, user: 'kim', _time: TIME + n });
    await Promise.all(times(50, (n) => push(match(n), match(n + 100), { n: -1, user: 'kim' })));
    expect(await eventsOf(subject, rule)).toMatchObject([{ count: 100, suppress_key: 'kim' }]);
  });

  it('raise one ticket of a key, whichever push reaches the threshold', async () => {
    const { schema, push } = await createStream(subject);
    const repo = await created(subject, '/api/core/ticket-repos', { name: `r ${schema}` });
    const fields = {
      suppress_key: '$user',
      ticket_issue_cond: 'ETIR_THRESHOLD',
      ticket_threshold: '5',
      ticket_suppress_interval: '600',
      ticket_repo_guid: repo,
    };
    const rule = await createStreamRule(subject, { schema, where: ['search n >= 0'], fields });
    await Promise.all(times(20, (n) => push({ n, user: n % 2 ? 'kim' : 'lee', _time: TIME + n })));
    const tickets = (await call('GET', TICKETS)).json.tickets.filter(({ repo_guid }: Wire) => repo_guid === repo);
    expect(tickets.map(({ count }: Wire) => count)).toEqual([10, 10]);
    expect((await eventsOf(subject, rule)).map(({ ticket_guid }) => ticket_guid)).not.toContain(null);
  });

  it('judge each log by exactly one version, while two administrators change the rule', async () => {
    const { schema, push } = await createStream(subject);
    const rule = await createStreamRule(subject, { schema, where: ['search k == 0'] });
    const change = async (wanted: readonly number[]) => {
      for (const k of wanted) {
        const form = ruleForm({ schema, where: [`search k == ${k}`] });
        expect((await call('PUT', `${STREAM_RULES}/${rule}`, { form })).text).toBe('{}');
      }
    };
    let isDone = false;
    let pushed = 0;
    const pushAll = async () => {
      while (!isDone) {
        pushed += 1;
        const n = pushed;
        await push(...times(21, (k) => ({ n, k })));
      }
    };
    const pushing = [pushAll(), pushAll()];
    const changing = [times(10, (k) => k + 1), times(10, (k) => k + 11)].map(change);
    await Promise.all(changing).finally(() => {
      isDone = true;
    });
    await Promise.all(pushing);
    await push(...times(21, (k) => ({ n: 0, k })));
    const events = await eventsOf(subject, rule);
    const logs = events.map(({ fields }) => `${fields.n} ${fields.k}`);
    expect(logs).toEqual([...new Set(logs)]);
    // A push has one match, unless the rule changes while the event loop runs between two of its logs.
    expect(new Set(events.map(({ fields }) => fields.n)).size).toBeGreaterThan(pushed / 2);
    for (const { rule_version, fields } of events) {
      const { version } = (await call('GET', `${STREAM_RULES}/${rule}/versions/${rule_version}`)).json;
      expect(version.rule.commands[0].query).toBe(`search k == ${fields.k}`);
    }
    expect(events.find(({ fields }) => fields.n === 0)?.rule_version).toBe(21);
  });
});
