// Many changes of one rule at once: they come one after another, and every number is given once.

import { beforeAll, expect, it } from 'vitest';
import {
  createReferred,
  createRule,
  createSchema,
  KINDS,
  MINIMAL,
  referring,
  removeReferred,
  restored,
  ruleOf,
  rulesOf,
  versionOf,
  versionsOf,
} from '#test/support/rules.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome } from '#test/support/suites.ts';

onEachDatabase('Changes of one rule at once', (subject) => {
  const { call } = subject;
  beforeAll(() => createSchema(subject, 'least'));

  it.each(KINDS)('are numbered without a gap: %s', async (kind) => {
    const guid = await createRule(subject, kind, { name: `raced ${kind}`, description: 'first' });
    const update = (number: number) =>
      call('PUT', `${rulesOf(kind)}/${guid}`, {
        form: { ...MINIMAL[kind], name: `raced ${kind}`, description: `change ${number}` },
      });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) => (number % 2 === 0 ? update(number) : restored(subject, kind, guid, 1))),
    );
    for (const [number, answer] of answers.entries())
      expect(outcome(answer)).toEqual([200, number % 2 === 0 ? {} : { result: true, failures: [] }]);
    const versions = await versionsOf(subject, kind, guid);
    expect(versions.map(({ version }: Wire) => version)).toEqual(Array.from({ length: 51 }, (_, index) => 51 - index));
    const changes = versions.map(({ change }: Wire) => change);
    expect(changes.filter((change) => change === 'restore')).toHaveLength(25);
    expect(changes.filter((change) => change === 'update')).toHaveLength(25);
    const described: string[] = [];
    for (const { version, change } of versions) {
      const { description } = (await versionOf(subject, kind, guid, version)).rule;
      if (change === 'update') described.push(description);
      else expect(description).toBe('first');
    }
    expect(new Set(described).size).toBe(25);
    const newest = (await versionOf(subject, kind, guid, 51)).rule;
    expect(await ruleOf(subject, kind, guid)).toMatchObject({ version: 51, description: newest.description });
  });

  it.each(KINDS)('see what they refer to or do not, never half: %s', async (kind) => {
    const referred = await createReferred(subject, kind);
    const guid = await createRule(subject, kind, { name: `gone ${kind}`, ...referring(referred) });
    const [removed] = referred.filter(({ identifier }) => identifier === 'alarm_group');
    if (!removed) throw new Error('there is no alarm group');
    const attempts = Array.from({ length: 20 }, (_, number) =>
      number === 10 ? removeReferred(subject, removed) : restored(subject, kind, guid, 1),
    );
    const answers = (await Promise.all(attempts)).flatMap((answer) => (answer ? [answer.json] : []));
    const won = answers.filter(({ result }: Wire) => result).length;
    for (const { result, failures } of answers) expect(failures).toHaveLength(result ? 0 : 1);
    expect(await versionsOf(subject, kind, guid)).toHaveLength(1 + won);
  });

  it.each(KINDS)('give a name to one alone: %s', async (kind) => {
    const name = `wanted ${kind}`;
    const guid = await createRule(subject, kind, { name });
    await call('PUT', `${rulesOf(kind)}/${guid}`, { form: { ...MINIMAL[kind], name: `left ${kind}` } });
    const form = { ...MINIMAL[kind], name };
    const [made, put] = await Promise.all([call('POST', rulesOf(kind), { form }), restored(subject, kind, guid, 1)]);
    const isMade = made.status === 200;
    expect(put.json.result).toBe(!isMade);
    const { rules } = (await call('GET', `${rulesOf(kind)}?keywords=${encodeURIComponent(name)}`)).json;
    expect(rules).toHaveLength(1);
  });

  it.each(KINDS)('begin a guid once, and go on counting where it was: %s', async (kind) => {
    const guid = await createRule(subject, kind);
    await call('DELETE', rulesOf(kind), { form: { guids: guid } });
    const create = (number: number) =>
      call('POST', rulesOf(kind), { form: { ...MINIMAL[kind], guid, name: `again ${kind} ${number}` } });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, number) => create(number)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, json } of answers.filter((answer) => answer.status !== 200))
      expect([status, json.error_msg]).toEqual([500, `duplicated guid: ${guid}`]);
    expect((await versionsOf(subject, kind, guid)).map(({ version }: Wire) => version)).toEqual([2, 1]);
  });
});
