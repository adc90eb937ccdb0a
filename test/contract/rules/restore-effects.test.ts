// What a restore leads to beyond the rule itself, and what it does not ask about.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTeam } from '#test/support/accounts.ts';
import { expectChained, exportedEntries } from '#test/support/audit.ts';
import {
  createRule,
  createSchema,
  type Fields,
  KINDS,
  MINIMAL,
  removeRules,
  restored,
  ruleOf,
  rulesOf,
  updateRule,
  versionsOf,
} from '#test/support/rules.ts';
import { databases, type Service, startService, type Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome } from '#test/support/suites.ts';

const DONE = [200, { result: true, failures: [] }];

onEachDatabase('A restored rule', (subject) => {
  const { call, clock } = subject;
  beforeAll(() => createSchema(subject, 'least'));

  it('is due by the schedule of the version that was put back', async () => {
    const guid = await createRule(subject, 'batch', { name: 'timed', schedule: '0 * * * *', enabled: 'true' });
    await updateRule(subject, 'batch', guid, { name: 'timed', schedule: '0 0 1 1 *', enabled: 'true' });
    expect((await ruleOf(subject, 'batch', guid)).next_run_time).toBe('2025-01-01 00:00:00+0000');
    clock.advance({ minutes: 10 });
    expect(outcome(await restored(subject, 'batch', guid, 1))).toEqual(DONE);
    expect((await ruleOf(subject, 'batch', guid)).next_run_time).toBe('2024-03-01 01:00:00+0000');
  });

  it('is put back though its query reads a table that has gone: references and the name alone are looked at', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'gone' } });
    const guid = await createRule(subject, 'batch', { name: 'reading', query: 'table gone' });
    await updateRule(subject, 'batch', guid, { name: 'reading' });
    expect(outcome(await call('DELETE', '/api/core/tables/gone'))).toEqual([200, {}]);
    expect(outcome(await restored(subject, 'batch', guid, 1))).toEqual(DONE);
    expect(await ruleOf(subject, 'batch', guid)).toMatchObject({ query: 'table gone', version: 3 });
  });

  it.each(KINDS)('refers to what its version names and to nothing else: %s', async (kind) => {
    const { admin, member } = await createTeam(subject, `${kind}-referred`);
    const users = [admin, member].map((user) => user.guid);
    const [first = '', second = ''] = users;
    const name = `referring ${kind}`;
    const guid = await createRule(subject, kind, { name, reviewer_guids: first, auditor_guid: second });
    const referred = async () => {
      const { json } = await call('DELETE', '/api/core/users', { form: { guids: users.join(), dry_run: 'true' } });
      return json.references.map(({ id, field }: Wire) => [users.indexOf(id), field]);
    };
    expect(await referred()).toEqual([
      [0, 'reviewer_guids'],
      [1, 'auditor_guid'],
    ]);
    await updateRule(subject, kind, guid, { name, reviewer_guids: `${second},${first}` });
    expect(await referred()).toEqual([
      [0, 'reviewer_guids'],
      [1, 'reviewer_guids'],
    ]);
    await updateRule(subject, kind, guid, { name });
    expect(await referred()).toEqual([]);
    await restored(subject, kind, guid, 1);
    expect(await referred()).toEqual([
      [0, 'reviewer_guids'],
      [1, 'auditor_guid'],
    ]);
    await removeRules(subject, kind, guid);
    expect(await referred()).toEqual([]);
    await createRule(subject, kind, { guid, name, auditor_guid: first });
    expect(await referred()).toEqual([[0, 'auditor_guid']]);
  });

  it.each(KINDS)('is found by what it is now: %s', async (kind) => {
    const guid = await createRule(subject, kind, { name: `found ${kind}`, description: 'haystack', priority: 'LOW' });
    await updateRule(subject, kind, guid, { name: `other ${kind}` });
    const found = async (query: string) =>
      (await call('GET', `${rulesOf(kind)}?${query}`)).json.rules.map((rule: Wire) => rule.guid);
    expect(await found('keywords=haystack')).toEqual([]);
    await restored(subject, kind, guid, 1);
    expect(await found('keywords=haystack')).toEqual([guid]);
    expect(await found(`keywords=found+${kind}&priority=LOW`)).toEqual([guid]);
    expect(await found(`keywords=other+${kind}`)).toEqual([]);
  });

  it.each(KINDS)('is still so after the service has started again: %s', async (kind) => {
    const guid = await createRule(subject, kind, { name: `lasting ${kind}`, description: 'first' });
    await updateRule(subject, kind, guid, { name: `lasting ${kind}` });
    await restored(subject, kind, guid, 1);
    const state = async () => [await ruleOf(subject, kind, guid), await versionsOf(subject, kind, guid)];
    const before = await state();
    await subject.service.restart();
    expect(await state()).toEqual(before);
  });
});

const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('Changes at the same moment on PostgreSQL', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ database: 'postgres' });
    await createSchema(service, 'least');
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it.each(KINDS)('number the versions of one %s rule without a gap', async (kind) => {
    const guid = await createRule(service, kind, { name: `shared ${kind}` });
    const form: Fields = { ...MINIMAL[kind], name: `shared ${kind}` };
    const change = (number: number) =>
      number % 4 < 2 ? service.call('PUT', `${rulesOf(kind)}/${guid}`, { form }) : restored(service, kind, guid, 1);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => change(number)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const versions = await versionsOf(service, kind, guid);
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 51 }, (_, index) => 51 - index));
    expect((await ruleOf(service, kind, guid)).version).toBe(51);
    expectChained(await exportedEntries(service));
  });
});
