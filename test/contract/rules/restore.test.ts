// Restoring versions of rules, as published.

import { beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { type Account, createAccount, created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import {
  createReferred,
  createRule,
  createSchema,
  illegal,
  KINDS,
  type Kind,
  NOWHERE,
  type Referred,
  referring,
  removeReferred,
  removeRules,
  restored,
  ruleOf,
  rulesOf,
  updateRule,
  versionsOf,
} from '#test/support/rules.ts';
import { databases } from '#test/support/service.ts';
import { NO_PERMISSION, outcome, refused, serviceFor } from '#test/support/suites.ts';

const DONE = [200, { result: true, failures: [] }] as const;
const IDENTIFIERS: Readonly<Record<Kind, readonly string[]>> = {
  batch: [
    ...['ticket_repo', 'address_group', 'category', 'dataset', 'audit_category', 'reviewer', 'auditor'],
    ...['alarm_group', 'ticket_assignee'],
  ],
  stream: [
    ...['schema', 'ticket_repo', 'address_group', 'rule_category', 'audit_category', 'reviewer', 'auditor'],
    ...['alarm_group', 'logger', 'logger_model', 'ticket_assignee'],
  ],
};

/** As the contract writes failures of the kind. */
const failure = (kind: Kind, identifier: string, value: string, reason = 'not-found') =>
  kind === 'batch' ? { id: identifier, name: value, reason } : { field: identifier, value, reason };
const failed = (...failures: object[]) => [200, { result: false, error_msg: 'validation-falied', failures }];

const suites = databases.flatMap(({ name, skip }) => KINDS.map((kind) => ({ database: name, skip, kind })));

for (const { database, skip, kind } of suites) {
  describe.skipIf(skip)(`Restoring a ${kind} rule, on ${database}`, () => {
    const subject = serviceFor({ database });
    const { call } = subject;
    const restore = (guid: string, version: number | string, query = '') =>
      restored(subject, kind, guid, version, query);
    /** Everything of a rule that a refused restore must leave as it is, byte by byte. */
    const stateOf = async (guid: string) => [
      (await call('GET', `${rulesOf(kind)}/${guid}`)).text,
      (await call('GET', `${rulesOf(kind)}/${guid}/versions`)).text,
    ];
    let admin: Account | undefined;
    let member: Account | undefined;
    beforeAll(async () => {
      await createSchema(subject, 'least');
      admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
      member = await createAccount(subject, 'MEMBER', { login: 'member' });
    });

    /** A rule whose first version refers to an object of every kind, and whose present one to none. */
    async function brokenRule(): Promise<{ guid: string; name: string; referred: Referred[] }> {
      const referred = await createReferred(subject, kind);
      const name = `broken ${newGuid()}`;
      const guid = await createRule(subject, kind, { ...referring(referred), name, ticket_issue_cond: 'ALWAYS' });
      await updateRule(subject, kind, guid, { name, description: 'now' });
      return { guid, name, referred };
    }

    it('puts an old version in force as a new one, by an administrator', async () => {
      const { guid, referred } = await brokenRule();
      subject.clock.advance({ minutes: 1 });
      const { key = '' } = admin ?? {};
      const path = `${rulesOf(kind)}/${guid}/versions/1/restore`;
      expect(outcome(await call('POST', path, { key }))).toEqual(DONE);
      const rule = await ruleOf(subject, kind, guid);
      expect(rule).toMatchObject({ version: 3, user_name: 'admin', ticket_issue_cond: 'ALWAYS' });
      expect(rule).not.toHaveProperty('description');
      expect(rule.updated > rule.created).toBe(true);
      for (const { field, key: to } of referred) expect([rule[field]].flat()).toEqual([to]);
      const diff = await call('GET', `${rulesOf(kind)}/${guid}/versions/1/diff?with=3`);
      expect(diff.json).toEqual({ changes: [] });
      expect((await versionsOf(subject, kind, guid))[0]).toMatchObject({
        change: 'restore',
        restored_from: 1,
        version: 3,
      });
    });

    it.each(IDENTIFIERS[kind])('tells of a missing %s, by the name that it had', async (identifier) => {
      const { guid, referred } = await brokenRule();
      const gone = referred.find((one) => one.identifier === identifier);
      if (!gone) throw new Error(`there is no ${identifier}`);
      await removeReferred(subject, gone);
      const before = await stateOf(guid);
      expect(outcome(await restore(guid, 1))).toEqual(failed(failure(kind, identifier, gone.value)));
      expect(await stateOf(guid)).toEqual(before);
    });

    it('tells of everything that is missing and of a taken name, in the order of the contract', async () => {
      const { guid, name, referred } = await brokenRule();
      await updateRule(subject, kind, guid, { name: newGuid() });
      await createRule(subject, kind, { name });
      for (const one of referred) await removeReferred(subject, one);
      const before = await stateOf(guid);
      const missing = referred.map(({ identifier, value }) => failure(kind, identifier, value));
      const taken = failure(kind, 'name', name, 'duplicate');
      expect(missing).toHaveLength(IDENTIFIERS[kind].length);
      const all = kind === 'batch' ? [taken, ...missing] : [...missing, taken];
      expect(outcome(await restore(guid, 1))).toEqual(failed(...all));
      const dry = (await restore(guid, 1, '?dry_run=true')).json;
      expect(dry).toEqual({ ...Object(failed(...all)[1]), query_error: dry.query_error, changes: dry.changes });
      expect(dry.changes.length).toBeGreaterThan(IDENTIFIERS[kind].length);
      expect(await stateOf(guid)).toEqual(before);
    });

    it('tells of each missing one of several, once', async () => {
      const users = await Promise.all(
        ['x', 'y', 'z'].map((name) =>
          created(subject, '/api/core/users', { login: `${name}-${newGuid()}`, name, role: 'MEMBER' }),
        ),
      );
      const [x, y, z] = users;
      const guid = await createRule(subject, kind, { reviewer_guids: `${z},${x},${y},${z}`, auditor_guid: `${z}` });
      await call('DELETE', '/api/core/users', { form: { guids: `${x},${z}` } });
      expect(outcome(await restore(guid, 1))).toEqual(
        failed(failure(kind, 'reviewer', 'z'), failure(kind, 'reviewer', 'x'), failure(kind, 'auditor', 'z')),
      );
    });

    it('succeeds once what was missing is there again', async () => {
      const { guid, referred } = await brokenRule();
      const [first] = referred.filter(({ identifier }) => identifier === 'alarm_group');
      if (!first) throw new Error('there is no alarm group');
      await removeReferred(subject, first);
      expect((await restore(guid, 1)).json.result).toBe(false);
      await created(subject, first.path, { name: 'renamed', guid: first.key });
      expect(outcome(await restore(guid, 1))).toEqual(DONE);
      expect(await ruleOf(subject, kind, guid)).toMatchObject({ alarm_group_name: 'renamed', version: 3 });
    });

    it('tells of a name that another rule of the kind has now, and not of its own', async () => {
      const name = newGuid();
      const later = newGuid();
      const guid = await createRule(subject, kind, { name });
      expect(outcome(await restore(guid, 1))).toEqual(DONE);
      await updateRule(subject, kind, guid, { name: later });
      const otherKind = await createRule(subject, kind === 'batch' ? 'stream' : 'batch', { name });
      const other = await createRule(subject, kind, { name });
      expect(outcome(await restore(guid, 1))).toEqual(failed(failure(kind, 'name', name, 'duplicate')));
      await removeRules(subject, kind, other);
      expect(outcome(await restore(guid, 1))).toEqual(DONE);
      expect(otherKind).not.toBe(guid);
    });

    it.each([true, false])('leaves enabled = %s alone', async (enabled) => {
      const guid = await createRule(subject, kind, { enabled: String(!enabled) });
      const { name } = await ruleOf(subject, kind, guid);
      await updateRule(subject, kind, guid, { name, enabled: String(enabled) });
      expect(outcome(await restore(guid, 1))).toEqual(DONE);
      expect(await ruleOf(subject, kind, guid)).toMatchObject({ enabled, version: 3 });
    });

    it('tried dry tells what it would change, and writes nothing', async () => {
      const guid = await createRule(subject, kind, { name: 'dry', description: 'd' });
      await updateRule(subject, kind, guid, { name: 'wet', priority: 'LOW' });
      const before = await stateOf(guid);
      const changes = [
        { field: 'priority', from: 'LOW', to: 'HIGH' },
        { field: 'name', from: 'wet', to: 'dry' },
        { field: 'description', from: null, to: 'd' },
      ];
      const left = await entriesOf(subject, async () => {
        expect(outcome(await restore(guid, 1, '?dry_run=true'))).toEqual([
          200,
          { result: true, failures: [], changes, query_error: null },
        ]);
      });
      expect(left).toEqual([]);
      expect(await stateOf(guid)).toEqual(before);
      expect(outcome(await restore(guid, 1, '?dry_run=false'))).toEqual(DONE);
    });

    it.each([
      ['abc', 'invalid-param-type', 'version should be integer type'],
      ['1.5', 'invalid-param-type', 'version should be integer type'],
      ['99999999999', 'invalid-param-type', 'version should be integer type'],
      ['', 'null-argument', 'version should be not null'],
    ])('does not read %j as a version', async (version, code, message) => {
      expect(outcome(await restore(NOWHERE, version))).toEqual(refused(400, code, message));
    });

    it.each([
      ['?dry_run=maybe', 'invalid-param-type', 'dry_run should be boolean type'],
      [
        `?comment=${'x'.repeat(2001)}`,
        'invalid-argument',
        "'comment' must be shorter than or equal to 2000 characters.",
      ],
    ])('does not take %.20s', async (query, code, message) => {
      const guid = await createRule(subject, kind);
      expect(outcome(await restore(guid, 1, query))).toEqual(refused(400, code, message));
      expect(outcome(await restore(guid, 'abc', query))).toEqual(
        refused(400, 'invalid-param-type', 'version should be integer type'),
      );
      expect(outcome(await restore('x', 'abc', query))).toEqual(
        refused(400, 'invalid-param-type', 'guid should be guid type.'),
      );
      expect(await versionsOf(subject, kind, guid)).toHaveLength(1);
    });

    it('names the rule or the snapshot that is missing', async () => {
      const guid = await createRule(subject, kind);
      expect(outcome(await restore(NOWHERE, 1))).toEqual(illegal(`${kind} rule not found: ${NOWHERE}`));
      for (const version of ['0', '-1', '2', '2147483647'])
        expect(outcome(await restore(guid, version))).toEqual(
          illegal(`${kind} rule snapshot not found: ${guid} v${version}`),
        );
    });

    it('is for administrators', async () => {
      const guid = await createRule(subject, kind);
      const { key = '' } = member ?? {};
      for (const version of ['1', '9', 'abc', '1/restore?dry_run=true'])
        expect(
          outcome(
            await call(
              'POST',
              `${rulesOf(kind)}/${guid}/versions/${version}${version.includes('?') ? '' : '/restore'}`,
              { key },
            ),
          ),
        ).toEqual(NO_PERMISSION);
      expect(await versionsOf(subject, kind, guid)).toHaveLength(1);
    });

    it('leaves one entry in the audit trail, with both versions, or with what went wrong', async () => {
      const guid = await createRule(subject, kind, { name: `audited ${newGuid()}` });
      const { name } = await ruleOf(subject, kind, guid);
      await updateRule(subject, kind, guid, { name, priority: 'LOW' });
      const module = `${kind}-rules`;
      const done = await entriesOf(subject, () => restore(guid, 1, '?comment=why'));
      expect(done).toMatchObject([
        {
          module,
          method: 'restore',
          params: { guid, version: '1', comment: 'why' },
          msg_params: { version: 1, new_version: 3 },
        },
      ]);
      expect(done[0]).not.toHaveProperty('error');
      const missing = await entriesOf(subject, () => restore(guid, 9));
      expect(missing).toMatchObject([
        { module, method: 'restore', error: `${kind} rule snapshot not found: ${guid} v9` },
      ]);
      await updateRule(subject, kind, guid, { name: newGuid() });
      const taken = await createRule(subject, kind, { name });
      const refusedOne = await entriesOf(subject, () => restore(guid, 1));
      expect(refusedOne).toMatchObject([{ module, method: 'restore', error: 'validation-falied' }]);
      await removeRules(subject, kind, taken);
    });

    it('takes no body and no content type', async () => {
      const guid = await createRule(subject, kind);
      const path = `${rulesOf(kind)}/${guid}/versions/1/restore`;
      expect(
        outcome(await call('POST', path, { headers: { 'content-type': 'application/json' }, body: '{}' })),
      ).toEqual(DONE);
      expect(outcome(await call('POST', path))).toEqual(DONE);
    });
  });
}
