// Restoring versions of rules, as published.

import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const BATCH = '/api/core/batch-rules';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const RULE = { priority: 'HIGH', name: 'r', msg: 'found $user', schedule: '* * * * *', query: 'json "{\\"a\\":1}"' };

onEachDatabase('Restoring a batch rule', (subject) => {
  const { call } = subject;

  it('puts an old version back as a new one', async () => {
    const guid = await created(subject, BATCH, RULE);
    const before = (await call('GET', `${BATCH}/${guid}`)).json.rule;
    expect(outcome(await call('PUT', `${BATCH}/${guid}`, { form: { ...RULE, priority: 'LOW' } }))).toEqual([200, {}]);
    const path = `${BATCH}/${guid}/versions/1/restore`;
    const dry = await call('POST', `${path}?dry_run=true`);
    const changes = [{ field: 'priority', from: 'LOW', to: 'HIGH' }];
    expect(outcome(dry)).toEqual([200, { result: true, failures: [], changes }]);
    expect(outcome(await call('POST', path))).toEqual([200, { result: true, failures: [] }]);
    const after = (await call('GET', `${BATCH}/${guid}`)).json.rule;
    expect(after).toEqual({ ...before, version: 3, updated: after.updated });
    expect(outcome(await call('POST', `${BATCH}/${guid}/versions/9/restore`))).toEqual(
      illegal(`batch rule snapshot not found: ${guid} v9`),
    );
    expect(outcome(await call('POST', `${BATCH}/${guid}/versions//restore`))).toEqual(
      refused(400, 'null-argument', 'version should be not null'),
    );
    expect(outcome(await call('POST', `${BATCH}/${NOWHERE}/versions/1/restore`))).toEqual(
      illegal(`batch rule not found: ${NOWHERE}`),
    );
  });
});
