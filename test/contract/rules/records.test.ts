// Rules of both kinds: made, read, listed, changed, switched and removed.

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
  ruleOf,
  rulesOf,
  updateRule,
  versionsOf,
} from '#test/support/rules.ts';
import { databases, type Wire } from '#test/support/service.ts';
import { NO_PERMISSION, outcome, refused, serviceFor } from '#test/support/suites.ts';

const STAMP = '2024-03-01 00:00:00+0000';
const MIN_OWN = {
  batch: {
    dataset_guid: null,
    dataset_name: null,
    last_run_time: null,
    next_run_time: null,
    last_success_time: null,
    running: false,
  },
  stream: {
    schema_name: 'least',
    source_type: 'LOGGER',
    logger_guids: [],
    logger_names: [],
    logger_model_guids: [],
    logger_model_names: [],
    commands: [{ template_id: 1, query: 'search user == "kim"', invert: false, ordinal: 1 }],
  },
};
const DEFAULTS = {
  category_guid: null,
  category_name: null,
  address_group_guid: null,
  address_group_name: null,
  ticket_issue_cond: 'NEVER',
  ticket_threshold: 1,
  ticket_repo_guid: null,
  ticket_repo_name: null,
  ticket_assignee_guids: [],
  ticket_assignee_names: [],
  ticket_suppress_interval: 0,
  event_suppress_interval: 0,
  keep_alive: false,
  mitre_techniques: [],
  mitre_tactics: [],
  audit_category_guid: null,
  audit_category_name: null,
  reviewer_guids: [],
  reviewer_names: [],
  auditor_guid: null,
  auditor_name: null,
  audit_days: 14,
  alarm_group_guid: null,
  alarm_group_name: null,
};

const suites = databases.flatMap(({ name, skip }) => KINDS.map((kind) => ({ database: name, skip, kind })));

for (const { database, skip, kind } of suites) {
  describe.skipIf(skip)(`A ${kind} rule, on ${database}`, () => {
    const subject = serviceFor({ database });
    const { call } = subject;
    const path = rulesOf(kind);
    let referred: Referred[] = [];
    let admin: Account | undefined;
    let member: Account | undefined;
    beforeAll(async () => {
      await createSchema(subject, 'least');
      referred = await createReferred(subject, kind);
      admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
      member = await createAccount(subject, 'MEMBER', { login: 'member' });
    });
    const keyOf = (account: Account | undefined) => ({ key: account?.key ?? '' });

    it('is read as it was given, with defaults for the rest', async () => {
      const guid = await createRule(subject, kind, { name: 'least' });
      const { commands: _, ...given } = { commands: '', ...MINIMAL[kind] };
      expect(await ruleOf(subject, kind, guid)).toEqual({
        guid,
        name: 'least',
        ...given,
        ...DEFAULTS,
        ...MIN_OWN[kind],
        enabled: false,
        version: 1,
        last_failure_time: null,
        last_failure_reason: null,
        query_error: null,
        user_guid: await masterGuid(subject),
        user_name: 'master',
        created: STAMP,
        updated: STAMP,
      });
      await removeRules(subject, kind, guid);
    });

    it('is read with the names of what it refers to, null for what has gone', async () => {
      const some = await createReferred(subject, kind);
      const guid = await createRule(subject, kind, { ...referring(some), ticket_issue_cond: 'ALWAYS' });
      const shown = (names: (one: Referred) => string | null) =>
        Object.fromEntries(
          some.flatMap((one) => {
            const asList = (value: string | null) => (one.field.endsWith('_guids') ? [value] : value);
            return [
              [one.field, asList(one.key)],
              [one.names, asList(names(one))],
            ];
          }),
        );
      expect(await ruleOf(subject, kind, guid)).toMatchObject(shown(({ name }) => name));
      for (const one of some) await removeReferred(subject, one);
      expect(await ruleOf(subject, kind, guid)).toMatchObject(shown(() => null));
      await removeRules(subject, kind, guid);
    });

    it('takes a list of one under the singular name', async () => {
      const [reviewer, assignee] = ['reviewer', 'ticket_assignee'].map(
        (id) => referred.find(({ identifier }) => identifier === id)?.key ?? '',
      );
      const guid = await createRule(subject, kind, {
        reviewer_guid: `${reviewer}`.toUpperCase(),
        ticket_assignee_guid: `${assignee}`,
      });
      expect(await ruleOf(subject, kind, guid)).toMatchObject({
        reviewer_guids: [reviewer],
        ticket_assignee_guids: [assignee],
      });
      await removeRules(subject, kind, guid);
    });

    it('names techniques and tactics by their ids, with null for unknown ones', async () => {
      const guid = await createRule(subject, kind, { mitre_techniques: 'T1110.003, T0', mitre_tactics: 'TA0006,TA0' });
      const { mitre_techniques, mitre_tactics } = await ruleOf(subject, kind, guid);
      expect(mitre_tactics).toEqual([
        { mitre_id: 'TA0006', name: 'Credential Access' },
        { mitre_id: 'TA0', name: null },
      ]);
      expect(mitre_techniques).toMatchObject([
        {
          mitre_id: 'T1110.003',
          name: 'Password Spraying',
          tactics: [{ mitre_id: 'TA0006', name: 'Credential Access' }],
        },
        { mitre_id: 'T0', name: null },
      ]);
      for (const one of mitre_techniques)
        expect(Object.keys(one).sort()).toEqual(['display_name', 'mitre_id', 'name', 'tactics', 'url']);
      await removeRules(subject, kind, guid);
    });

    it('refuses every reference that is not there, in the order of declaration', async () => {
      const declared = [
        ...['category_guid', 'dataset_guid', 'schema_code', 'logger_guids', 'logger_model_guids'],
        ...['address_group_guid', 'ticket_repo_guid', 'ticket_assignee_guids', 'audit_category_guid'],
        ...['reviewer_guids', 'auditor_guid', 'alarm_group_guid'],
      ];
      const inOrder = referred.toSorted((a, b) => declared.indexOf(a.field) - declared.indexOf(b.field));
      const guid = await createRule(subject, kind);
      const before = await ruleOf(subject, kind, guid);
      const wrong = new Map(inOrder.map(({ field }) => [field, NOWHERE]));
      for (const { field, thing } of inOrder) {
        const form = { ...MINIMAL[kind], name: newGuid(), ...Object.fromEntries(wrong) };
        const complaint = illegal(`${thing} not found: ${NOWHERE}`);
        expect([field, outcome(await call('POST', path, { form }))]).toEqual([field, complaint]);
        expect([field, outcome(await call('PUT', `${path}/${guid}`, { form }))]).toEqual([field, complaint]);
        wrong.delete(field);
      }
      expect(await ruleOf(subject, kind, guid)).toEqual(before);
      expect(await versionsOf(subject, kind, guid)).toHaveLength(1);
      await removeRules(subject, kind, guid);
    });

    it('has a name and a guid of its own among rules of its kind', async () => {
      const guid = newGuid();
      expect(outcome(await call('POST', path, { form: { ...MINIMAL[kind], name: 'once', guid } }))).toEqual([
        200,
        { guid },
      ]);
      const again = (fields: object) => call('POST', path, { form: { ...MINIMAL[kind], name: newGuid(), ...fields } });
      expect(outcome(await again({ name: 'once' }))).toEqual(illegal('duplicated name: once'));
      expect(outcome(await again({ guid }))).toEqual(illegal(`duplicated guid: ${guid}`));
      expect(outcome(await again({ guid: guid.toUpperCase() }))).toEqual(illegal(`duplicated guid: ${guid}`));
      const other = await createRule(subject, kind, { name: 'another' });
      expect(outcome(await call('PUT', `${path}/${other}`, { form: { ...MINIMAL[kind], name: 'once' } }))).toEqual(
        illegal('duplicated name: once'),
      );
      const otherKind = kind === 'batch' ? 'stream' : 'batch';
      expect(await createRule(subject, otherKind, { name: 'once', guid })).toBe(guid);
      await removeRules(subject, otherKind, guid);
      await removeRules(subject, kind, guid, other);
    });

    it('is replaced by an update: what is absent takes its default', async () => {
      const fields = { name: 'full', description: 'd', enabled: 'true', audit_days: '3', ...referring(referred) };
      const guid = await createRule(subject, kind, fields);
      subject.clock.advance({ seconds: 1 });
      const { key } = keyOf(admin);
      const form = { ...MINIMAL[kind], name: 'bare' };
      expect(outcome(await call('PUT', `${path}/${guid}`, { form, key }))).toEqual([200, {}]);
      const rule = await ruleOf(subject, kind, guid);
      expect(rule).toMatchObject({ name: 'bare', ...DEFAULTS, enabled: false, version: 2, user_name: 'admin' });
      expect(rule).not.toHaveProperty('description');
      expect(rule.updated > rule.created).toBe(true);
      await removeRules(subject, kind, guid);
    });

    it('is switched on and off, once each, without a version', async () => {
      const guid = await createRule(subject, kind);
      const turn = (action: string, id = guid) => call('POST', `${path}/${id}/${action}`);
      const isOn = async () => (await ruleOf(subject, kind, guid)).enabled;
      expect(outcome(await turn('disable'))).toEqual(illegal(`${kind} rule is already disabled: ${guid}`));
      expect([outcome(await turn('enable')), await isOn()]).toEqual([[200, {}], true]);
      expect(outcome(await turn('enable'))).toEqual(illegal(`${kind} rule is already enabled: ${guid}`));
      expect([outcome(await turn('disable')), await isOn()]).toEqual([[200, {}], false]);
      for (const action of ['enable', 'disable']) {
        expect(outcome(await turn(action, NOWHERE))).toEqual(illegal(`${kind} rule not found: ${NOWHERE}`));
        expect(outcome(await turn(action, 'x'))).toEqual(
          refused(400, 'invalid-param-type', 'guid should be guid type.'),
        );
      }
      expect(await versionsOf(subject, kind, guid)).toHaveLength(1);
      await removeRules(subject, kind, guid);
    });

    it('is listed by name, page by page, and found by every filter', async () => {
      const [category] = referred.filter(({ field }) => field === 'category_guid').map(({ key }) => key);
      const found = kind === 'batch' ? { query: 'json "{Needle:1}"' } : {};
      const all = [
        await createRule(subject, kind, { name: 'row 1', priority: 'LOW', description: 'Über alles', enabled: 'true' }),
        await createRule(subject, kind, { name: 'row 2', category_guid: `${category}`, ...found }),
        await createRule(subject, kind, { name: 'row 3' }),
      ];
      const list = async (query: string) => {
        const { json } = await call('GET', `${path}?${query}`);
        return [json.total_count, ...json.rules.map(({ name }: Wire) => name)];
      };
      const first = (await call('GET', `${path}?keywords=ROW+1`)).json.rules[0];
      expect(first).toEqual(await ruleOf(subject, kind, `${all[0]}`));
      expect(await list('keywords=row&offset=1&limit=1')).toEqual([3, 'row 2']);
      expect(await list('limit=0')).toEqual([(await list(''))[0]]);
      expect(await list('keywords=ÜBER')).toEqual([1, 'row 1']);
      expect(await list('keywords=row&enabled=true')).toEqual([1, 'row 1']);
      expect(await list('keywords=row&enabled=false')).toEqual([2, 'row 2', 'row 3']);
      expect(await list('keywords=row&priority=LOW')).toEqual([1, 'row 1']);
      expect(await list(`category_guid=${category}`)).toEqual([1, 'row 2']);
      if (kind === 'batch') {
        expect(await list('keywords=needle')).toEqual([1, 'row 2']);
      } else {
        expect(await list('schema_code=nowhere')).toEqual([0]);
        expect(await list('schema_code=least&keywords=LEAST')).toEqual([3, 'row 1', 'row 2', 'row 3']);
      }
      await removeRules(subject, kind, ...all);
    });

    it.each([
      ['offset=x', 'invalid-argument', "'offset' parameter should be int type"],
      ['limit=-1', 'invalid-argument', "'limit' must be greater than or equal to 0."],
      ['enabled=1', 'invalid-param-type', 'enabled should be boolean type'],
      ['priority=low', 'invalid-argument', "priority value must be one of 'LOW', 'MEDIUM', 'HIGH'."],
      ['category_guid=x', 'invalid-param-type', 'category_guid should be guid type.'],
    ])('is not listed with %s', async (query, code, message) => {
      expect(outcome(await call('GET', `${path}?${query}`))).toEqual(refused(400, code, message));
    });

    it('is removed, each of several by itself', async () => {
      const guids = [await createRule(subject, kind), await createRule(subject, kind)];
      const remove = (form: Record<string, string>) => call('DELETE', path, { form });
      expect(outcome(await remove({ guids: `${guids[0]},${NOWHERE},${guids[1]}` }))).toEqual([
        200,
        { failures: [{ id: NOWHERE, reason: `${kind}-rule-not-found` }] },
      ]);
      for (const guid of guids) expect(outcome(await call('GET', `${path}/${guid}`))).toEqual([200, { rule: null }]);
      expect(outcome(await remove({}))).toEqual(refused(400, 'null-argument', 'guids should be not null'));
      const oneBad = remove({ guids: `${NOWHERE},x` });
      expect(outcome(await oneBad)).toEqual(refused(400, 'invalid-param-type', 'guids should be guid type.'));
    });

    it('may be read by a member, and changed by administrators alone', async () => {
      const guid = await createRule(subject, kind, { name: 'kept' });
      const form = { ...MINIMAL[kind], name: 'changed', guids: guid };
      const { key } = keyOf(member);
      for (const [method, target] of [
        ['POST', path],
        ['PUT', `${path}/${guid}`],
        ['DELETE', path],
        ['POST', `${path}/${guid}/enable`],
        ['POST', `${path}/${guid}/disable`],
        ['POST', `${path}/${guid}/versions/1/restore`],
      ] as const)
        expect([method, outcome(await call(method, target, { form, key }))]).toEqual([method, NO_PERMISSION]);
      for (const target of [path, `${path}/${guid}`, `${path}/${guid}/versions`, `${path}/${guid}/versions/1`])
        expect((await call('GET', target, { key })).json).toEqual((await call('GET', target)).json);
      expect((await call('GET', `${path}/${guid}/versions/1/diff?with=1`, { key })).status).toBe(200);
      await updateRule(subject, kind, guid, { name: 'kept' });
      await removeRules(subject, kind, guid);
    });

    it('is told by the dry run of a removal as who refers to an object', async () => {
      const guid = await createRule(subject, kind, { name: 'referring', ...referring(referred) });
      for (const { path: family, key, field, identifier } of referred) {
        const form = { ...(identifier === 'schema' ? { codes: key } : { guids: key }), dry_run: 'true' };
        const { json } = await call('DELETE', family, { form });
        const ours = json.references.filter(({ kind: by }: Wire) => by === `${kind}-rule`);
        expect(ours).toEqual([{ id: key, kind: `${kind}-rule`, guid, name: 'referring', field }]);
      }
      await removeRules(subject, kind, guid);
    });
  });
}
