// Versions of rules: what each keeps, how they are compared, and that they outlive their rule.

import { beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { type Account, createAccount, masterGuid } from '#test/support/accounts.ts';
import {
  createReferred,
  createRule,
  createSchema,
  illegal,
  KINDS,
  MINIMAL,
  NOWHERE,
  type Referred,
  referring,
  removeReferred,
  removeRules,
  restored,
  rulesOf,
  updateRule,
  versionOf,
  versionsOf,
} from '#test/support/rules.ts';
import { databases, type Wire } from '#test/support/service.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const suites = databases.flatMap(({ name, skip }) => KINDS.map((kind) => ({ database: name, skip, kind })));

for (const { database, skip, kind } of suites) {
  describe.skipIf(skip)(`Versions of a ${kind} rule, on ${database}`, () => {
    const subject = serviceFor({ database });
    const { call } = subject;
    const pathOf = (guid: string) => `${rulesOf(kind)}/${guid}/versions`;
    const missingRule = illegal(`${kind} rule not found: ${NOWHERE}`);
    const missingSnapshot = (guid: string, version: number) =>
      illegal(`${kind} rule snapshot not found: ${guid} v${version}`);
    let referred: Referred[] = [];
    let admin: Account | undefined;
    beforeAll(async () => {
      await createSchema(subject, 'least');
      referred = await createReferred(subject, kind);
      admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
    });

    it('are written by create, update and restore, one each, and listed newest first', async () => {
      const guid = await createRule(subject, kind, { name: 'one', comment: 'to begin with' });
      const form = { ...MINIMAL[kind], name: 'two' };
      await call('PUT', `${rulesOf(kind)}/${guid}`, { form, key: admin?.key ?? '' });
      await call('POST', `${rulesOf(kind)}/${guid}/enable`);
      await call('POST', `${rulesOf(kind)}/${guid}/disable`);
      await restored(subject, kind, guid, 1, '?comment=back');
      const by = async (name: string) => ({
        user_guid: name === 'admin' ? admin?.guid : await masterGuid(subject),
        user_name: name,
        created: '2024-03-01 00:00:00+0000',
      });
      expect(outcome(await call('GET', pathOf(guid)))).toEqual([
        200,
        {
          total_count: 3,
          versions: [
            { version: 3, name: 'one', ...(await by('master')), change: 'restore', restored_from: 1, comment: 'back' },
            { version: 2, name: 'two', ...(await by('admin')), change: 'update', restored_from: null, comment: null },
            {
              version: 1,
              name: 'one',
              ...(await by('master')),
              change: 'create',
              restored_from: null,
              comment: 'to begin with',
            },
          ],
        },
      ]);
      const page = (await call('GET', `${pathOf(guid)}?offset=1&limit=1`)).json;
      expect([page.total_count, page.versions.map(({ version }: Wire) => version)]).toEqual([3, [2]]);
      expect((await call('GET', `${pathOf(guid)}?offset=3`)).json).toEqual({ total_count: 3, versions: [] });
    });

    it('hold every writable field but guid, enabled and comment, with the names as they were', async () => {
      const some = await createReferred(subject, kind);
      const fields = { ...MINIMAL[kind], name: 'snap', description: 'd', enabled: 'true', comment: 'c' };
      const guid = await createRule(subject, kind, { ...fields, ...referring(some) });
      const before = await versionOf(subject, kind, guid, 1);
      const { rule, ...entry } = before;
      expect(entry).toEqual((await versionsOf(subject, kind, guid))[0]);
      for (const { field, names, key, name } of some) {
        const asList = (value: string) => (field.endsWith('_guids') ? [value] : value);
        expect([rule[field], rule[names]]).toEqual([asList(key), asList(name)]);
      }
      expect(rule).toMatchObject({
        priority: 'HIGH',
        name: 'snap',
        description: 'd',
        audit_days: 14,
        keep_alive: false,
      });
      for (const absent of [
        'guid',
        'enabled',
        'comment',
        'version',
        'user_guid',
        'created',
        'updated',
        'next_run_time',
      ])
        expect(rule).not.toHaveProperty(absent);
      for (const one of some) await removeReferred(subject, one);
      await updateRule(subject, kind, guid, { name: 'other' });
      expect(await versionOf(subject, kind, guid, 1)).toEqual(before);
    });

    it('stay as they were whatever happens to the rule, and outlive it', async () => {
      const guid = await createRule(subject, kind, { name: 'lasting' });
      await updateRule(subject, kind, guid, { name: 'lasting', priority: 'LOW', comment: 'less' });
      const all = async () => [
        (await call('GET', pathOf(guid))).text,
        (await call('GET', `${pathOf(guid)}/1`)).text,
        (await call('GET', `${pathOf(guid)}/2`)).text,
        (await call('GET', `${pathOf(guid)}/1/diff?with=2`)).text,
      ];
      const before = await all();
      subject.clock.advance({ hours: 1 });
      await removeRules(subject, kind, guid);
      expect(await all()).toEqual(before);
      expect(outcome(await restored(subject, kind, guid, 1))).toEqual(illegal(`${kind} rule not found: ${guid}`));
      expect(await createRule(subject, kind, { name: 'anew', guid })).toBe(guid);
      const versions = await versionsOf(subject, kind, guid);
      expect(versions.map(({ version, change }: Wire) => [version, change])).toEqual([
        [3, 'create'],
        [2, 'update'],
        [1, 'create'],
      ]);
      expect((await all()).slice(1)).toEqual(before.slice(1));
      expect(outcome(await restored(subject, kind, guid, 2))).toEqual([200, { result: true, failures: [] }]);
      expect((await call('GET', `${rulesOf(kind)}/${guid}`)).json.rule).toMatchObject({
        name: 'lasting',
        priority: 'LOW',
        version: 4,
      });
    });

    it('differ in fields, in the order of their declaration, without names', async () => {
      const guid = await createRule(subject, kind, { name: 'from' });
      const changed = {
        name: 'to',
        priority: 'LOW',
        description: 'd',
        audit_days: '3',
        field_order: 'a,b',
        keep_alive: 'true',
        mitre_tactics: 'TA0006',
        ticket_issue_cond: 'ALWAYS',
        enabled: 'true',
        comment: 'c',
      };
      await updateRule(subject, kind, guid, { ...changed, ...referring(referred) });
      const { changes } = (await call('GET', `${pathOf(guid)}/1/diff?with=2`)).json;
      const own = kind === 'batch' ? ['dataset_guid', 'query'] : ['schema_code', 'logger_guids', 'logger_model_guids'];
      expect(changes.map(({ field }: Wire) => field)).toEqual([
        ...['priority', 'name', 'description', 'category_guid', ...own, 'address_group_guid', 'ticket_issue_cond'],
        ...['ticket_repo_guid', 'ticket_assignee_guids', 'keep_alive', 'mitre_tactics', 'audit_category_guid'],
        ...['reviewer_guids', 'auditor_guid', 'audit_days', 'alarm_group_guid', 'field_order'],
      ]);
      const of = (field: string) => changes.find((change: Wire) => change.field === field);
      expect(of('priority')).toEqual({ field: 'priority', from: 'HIGH', to: 'LOW' });
      expect(of('description')).toEqual({ field: 'description', from: null, to: 'd' });
      expect(of('audit_days')).toEqual({ field: 'audit_days', from: 14, to: 3 });
      const back = (await call('GET', `${pathOf(guid)}/2/diff?with=1`)).json.changes;
      expect(back).toEqual(changes.map(({ field, from, to }: Wire) => ({ field, from: to, to: from })));
      expect((await call('GET', `${pathOf(guid)}/2/diff?with=2`)).json).toEqual({ changes: [] });
    });

    it('are missing in so many words', async () => {
      const guid = await createRule(subject, kind);
      expect(outcome(await call('GET', pathOf(NOWHERE)))).toEqual(missingRule);
      expect(outcome(await call('GET', `${pathOf(NOWHERE)}/1`))).toEqual(missingRule);
      for (const version of [0, -1, 2, 2_147_483_647])
        expect(outcome(await call('GET', `${pathOf(guid)}/${version}`))).toEqual(missingSnapshot(guid, version));
      expect(outcome(await call('GET', `${pathOf(guid)}/1/diff?with=7`))).toEqual(missingSnapshot(guid, 7));
      expect(outcome(await call('GET', `${pathOf(guid)}/8/diff?with=7`))).toEqual(missingSnapshot(guid, 8));
    });

    it.each([
      ['x', 'invalid-param-type', 'guid should be guid type.'],
      ['x/1', 'invalid-param-type', 'guid should be guid type.'],
      [`${NOWHERE}/abc`, 'invalid-param-type', 'version should be integer type'],
      [`${NOWHERE}/1.5`, 'invalid-param-type', 'version should be integer type'],
      [`${NOWHERE}/99999999999`, 'invalid-param-type', 'version should be integer type'],
      [`${NOWHERE}/`, 'null-argument', 'version should be not null'],
      [`${NOWHERE}//diff?with=1`, 'null-argument', 'version should be not null'],
      [`${NOWHERE}/1/diff`, 'null-argument', 'with should be not null'],
      [`${NOWHERE}/1/diff?with=`, 'null-argument', 'with should be not null'],
      [`${NOWHERE}/1/diff?with=x`, 'invalid-argument', "'with' parameter should be int type"],
      [`${NOWHERE}/1/diff?with=2147483648`, 'invalid-argument', "'with' must be less than or equal to 2147483647."],
      [`${NOWHERE}/abc/diff?with=x`, 'invalid-param-type', 'version should be integer type'],
    ])('are not read from %s', async (target, code, message) => {
      const [guid, ...others] = target.split('/');
      const path = [rulesOf(kind), guid, 'versions', ...others].join('/');
      expect(outcome(await call('GET', path))).toEqual(refused(400, code, message));
    });

    it('belong to a rule by its guid and its kind', async () => {
      const guid = newGuid();
      const other = kind === 'batch' ? 'stream' : 'batch';
      await createRule(subject, other, { guid });
      expect(outcome(await call('GET', pathOf(guid)))).toEqual(illegal(`${kind} rule not found: ${guid}`));
      await createRule(subject, kind, { guid: guid.toUpperCase() });
      expect(await versionsOf(subject, kind, guid)).toHaveLength(1);
    });
  });
}
