// Every entry says what it was about, whether the call succeeded or was refused: a walk over all audited operations.

import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '#resources/index.ts';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf, type WireEntry } from '#test/support/audit.ts';
import type { AuditedCall, Target } from '#test/support/audited-call.ts';
import { AUDITED_CALLS } from '#test/support/audited-calls.ts';
import { FAMILY_FLAGS } from '#test/support/family-cases.ts';
import { createSchema } from '#test/support/rules.ts';
import { onEachDatabase, type Subject } from '#test/support/suites.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** About no object that is kept, or in suites of their own: queries, sessions, moves of tables, the trail itself. */
const ELSEWHERE = [
  'DELETE /api/core/cursors/:id',
  'DELETE /api/core/sessions',
  'DELETE /api/core/tables/:table/move',
  'GET /api/core/audit-logs/export',
  'GET /api/core/audit-logs/proof',
  'GET /api/core/query',
  'POST /api/core/cursors',
  'POST /api/core/queries/:id/cancel',
  'POST /api/core/queries/explain',
  'POST /api/core/sessions',
  'POST /api/core/tables/:table/facets',
  'POST /api/core/tables/:table/move',
  'PUT /api/core/events/status',
  'POST /api/core/sessions/codes',
  'PUT /api/core/queries/:id/tags',
];

const byOperation = AUDITED_CALLS.map((call) => [call.operation, call] as const);
const method = ({ operation }: AuditedCall) => operation.split(' ')[0] ?? '';
const many = ['guids', 'codes', 'tokens'];

describe('The walk over audited operations', () => {
  it('leaves none out', () => {
    const audited = operations.filter((operation) => 'audit' in operation);
    const names = audited.map((operation) => `${operation.method} ${operation.path}`);
    expect([...AUDITED_CALLS.map(({ operation }) => operation), ...ELSEWHERE].toSorted()).toEqual(names.toSorted());
  });
});

const walk = (subject: Subject) => {
  let stranger: Account;
  beforeAll(async () => {
    await createSchema(subject, 'least');
    stranger = await createAccount(subject, 'MEMBER', { login: 'stranger' });
  });

  it.each(byOperation)('of %s names its object', async (_, call) => {
    const target = await call.target(subject);
    const { entry, answer } = await calledOn(subject, call, target);
    expect([answer.status < 300, answer.json?.error_msg]).toEqual([true, undefined]);
    expect([entry.error, entry.result]).toEqual([undefined, call.kind === 'several' ? 'Partial success' : 'Success']);
    expect(entry.msg_params).toMatchObject({ ...successOf(call, target, answer.json), ...call.also?.(target) });
    expect(entry.msg).toContain(target.name);
  });

  it.each(byOperation.filter(([, call]) => !call.isForMembers && !call.isByToken))(
    'of %s names it when it is forbidden',
    async (_, call) => {
      const target = await call.target(subject);
      const { entry } = await calledOn(subject, call, target, { key: stranger.key });
      expect([entry.error, entry.result]).toEqual(['no-permission', 'Failure']);
      expect(entry.msg_params).toMatchObject(refusedOf(call, target));
      expect(entry.params ?? {}).toMatchObject(call.form?.(target) ?? {});
    },
  );

  it.each(byOperation.filter(([, { wrong }]) => wrong))('of %s names it when parameters are wrong', async (_, call) => {
    const target = await call.target(subject);
    const { entry } = await calledOn(subject, call, target, { form: call.wrong ?? {} });
    expect([entry.error, entry.result]).toEqual([expect.any(String), 'Failure']);
    if (call.kind === 'changed') expect(entry.msg_params).toMatchObject(refusedOf(call, target));
  });

  it.each(byOperation.filter(([, { kind, isByToken }]) => kind === 'changed' && !isByToken))(
    'of %s has the key of what is not there',
    async (_, call) => {
      const { name, ...rest } = await call.target(subject);
      const { entry } = await calledOn(subject, call, { ...rest, name, key: NOWHERE });
      expect([entry.error, entry.result]).toEqual([expect.stringContaining('not found'), 'Failure']);
      expect(entry.msg_params).toMatchObject({ [call.keyAs]: NOWHERE });
      expect(entry.msg_params.name).toBeUndefined();
    },
  );

  it.each(byOperation.filter(([, { kind }]) => kind === 'several'))(
    'of %s has the reason when nothing was done',
    async (_, call) => {
      const target = await call.target(subject);
      const list = many.find((name) => Object.hasOwn(call.form?.(target) ?? {}, name)) ?? '';
      const { entry } = await calledOn(subject, call, target, { form: { [list]: NOWHERE } });
      const reason = entry.msg_params.failures[0].reason;
      expect(reason).toMatch(/-not-found$/);
      expect([entry.error, entry.result]).toEqual([reason, 'Failure']);
      expect(entry.msg_params).toMatchObject({
        succeeded: 0,
        failed: 1,
        failures: [{ id: NOWHERE, reason }],
        objects: [],
      });
    },
  );
};

onEachDatabase('An audit entry', walk, { flags: FAMILY_FLAGS });

async function calledOn(subject: Subject, call: AuditedCall, target: Target, options: object = {}) {
  const form = call.form?.(target);
  const { body } = call;
  const raw = body ? { body: body.text, headers: { 'content-type': body.type } } : {};
  let answer = await Promise.resolve({ status: 0, json: undefined as WireEntry });
  const entries = await entriesOf(subject, async () => {
    answer = await subject.call(method(call), call.path(target), { ...(form ? { form } : raw), ...options });
  });
  expect(entries).toHaveLength(1);
  return { entry: entries[0], answer };
}

function successOf({ kind, keyAs }: AuditedCall, { key, name }: Target, answer: WireEntry): object {
  if (kind === 'made') return { [keyAs]: answer[keyAs] ?? answer.guid ?? name, name };
  if (kind === 'changed') return { [keyAs]: key, name };
  const failures = [{ id: NOWHERE, reason: expect.stringMatching(/-not-found$/) }];
  return { succeeded: 1, failed: 1, failures, skipped: [], objects: [{ guid: key, name }] };
}

function refusedOf({ kind, keyAs }: AuditedCall, { key, name, within }: Target): object {
  if (kind === 'several') return { objects: [{ guid: key, name }] };
  // What was not made is in no list; what it would have been part of is.
  if (kind === 'made') return key === '' ? {} : { guid: within, name: expect.any(String) };
  return { [keyAs]: key, name };
}
