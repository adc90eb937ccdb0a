// Running a batch rule by hand, whether or not it is enabled.

import { expect, it } from 'vitest';
import { created, createTeam } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { BATCH_RULES, createRule, eventsOf, runRule } from '#test/support/detection.ts';
import { metricsOf } from '#test/support/metrics.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);

onEachDatabase('Running a batch rule by hand', (subject) => {
  const { call } = subject;

  it('answers with a query of that source and of the author', async () => {
    const { admin, member } = await createTeam(subject, 'runners');
    const rule = await createRule(subject, { name: 'r', query: 'json "{\\"user\\":\\"kim\\"}"', enabled: 'false' });
    const run = async (guid: string, key?: string) =>
      outcome(await call('POST', `${BATCH_RULES}/${guid}/run`, key === undefined ? {} : { key }));
    expect(await run(NOWHERE)).toEqual(illegal(`batch rule not found: ${NOWHERE}`));
    expect(await run('x')).toEqual(refused(400, 'invalid-param-type', 'guid should be guid type.'));
    expect(await run(rule, member.key)).toEqual(NO_PERMISSION);
    let id = 0;
    const entries = await entriesOf(subject, async () => {
      const { status, json } = await call('POST', `${BATCH_RULES}/${rule}/run`, { key: admin.key });
      expect([status, Object.keys(json)]).toEqual([200, ['id']]);
      id = json.id;
    });
    expect(entries).toMatchObject([
      { category: 'Batch rules', action: 'Run batch rule', msg: 'Run of batch rule r', user_name: admin.login },
    ]);
    const query = (await call('GET', `/api/core/queries/${id}`)).json;
    expect(query).toMatchObject({ id, source: 'batch-rule', login_name: 'master', background: true });
  });

  it('raises nothing while it is disabled', async () => {
    const rule = await createRule(subject, { name: 'off', query: 'json "{\\"user\\":\\"kim\\"}"', enabled: 'false' });
    await runRule(subject, rule);
    await call('POST', `${BATCH_RULES}/${rule}/enable`);
    const id = await runRule(subject, rule);
    await expect.poll(() => eventsOf(subject, rule)).toMatchObject([{ query_id: id, count: 1 }]);
  });

  it('is refused while it runs, and raises nothing when it is removed meanwhile', async () => {
    const query =
      'json "{\\"user\\":\\"kim\\"}" | repeat count=20000000 | eval b = rand(10) | search b < 0 | stats count';
    const rule = await createRule(subject, { name: 'slow', query });
    const { id } = (await call('POST', `${BATCH_RULES}/${rule}/run`)).json;
    expect(outcome(await call('POST', `${BATCH_RULES}/${rule}/run`))).toEqual(
      illegal(`batch rule is already running: ${rule}`),
    );
    await call('DELETE', BATCH_RULES, { form: { guids: rule } });
    await createRule(subject, { guid: rule, name: 'again', query });
    await expect.poll(async () => (await call('GET', `/api/core/queries/${id}`)).json.is_finished).toBe(true);
    const other = await createRule(subject, { name: 'other', query: 'json "{}"' });
    await runRule(subject, other);
    await expect.poll(() => eventsOf(subject, other)).toHaveLength(1);
    expect(await eventsOf(subject, rule)).toEqual([]);
  });

  it('raises nothing where it finds too much to be anything, which is no defect', async () => {
    const query = 'json "{}" | repeat count=100001';
    const rule = await createRule(subject, { name: 'loud', query });
    await runRule(subject, rule);
    const other = await createRule(subject, { name: 'after it', query: 'json "{}"' });
    await runRule(subject, other);
    await expect.poll(() => eventsOf(subject, other)).toHaveLength(1);
    expect(await eventsOf(subject, rule)).toEqual([]);
    expect(await metricsOf(subject.service)).toContain('vigil_defects_total 0\n');
  });

  it('tells what is wrong with its text when its dataset has gone', async () => {
    const dataset = await created(subject, '/api/core/datasets', {
      name: 'd',
      query: 'json "{\\"user\\":\\"kim\\"}"',
      shared_users: '[]',
      shared_groups: '[]',
    });
    const rule = await createRule(subject, { name: 'of a dataset', dataset_guid: dataset, query: 'eval n = 1' });
    await runRule(subject, rule);
    await expect.poll(() => eventsOf(subject, rule)).toMatchObject([{ fields: { user: 'kim', n: 1 } }]);
    await call('DELETE', '/api/core/datasets', { form: { guids: dataset } });
    const [status, body] = outcome(await call('POST', `${BATCH_RULES}/${rule}/run`));
    expect([status, body]).toMatchObject([400, { error_code: 'invalid-query' }]);
  });
});
