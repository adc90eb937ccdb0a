// Several administrators at once: nothing is counted, named or run twice.

import { expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import {
  createRunning,
  createSchedule,
  endedSlots,
  QUICK,
  recordOf,
  removeAll,
  SCHEDULES,
  SLOW,
  slotsOf,
  YEARLY,
} from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase } from '#test/support/suites.ts';

// Many real runs on a machine that may be busy.
const sum = (answers: readonly { json: Wire }[]) => answers.reduce((all, { json }) => all + json.succeeded, 0);
const failures = (answers: readonly { json: Wire }[]) => answers.flatMap(({ json }) => json.failures);

onEachDatabase('Of several administrators', (subject) => {
  const { call } = subject;
  const times = <T>(count: number, act: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => act(n)));

  it('one creates a name', async () => {
    const answers = await times(20, () => call('POST', SCHEDULES, { form: { name: 'only', query: QUICK, ...YEARLY } }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refusals = answers.filter(({ status }) => status !== 200);
    for (const { json } of refusals) expect(json.error_msg).toBe('duplicated name: only');
    expect((await call('GET', `${SCHEDULES}?keywords=only`)).json.total_count).toBe(1);
  });

  it('one gives a query a name', async () => {
    const guids = await times(8, () => createSchedule(subject));
    const answers = await Promise.all(
      guids.map((guid) => call('PUT', `${SCHEDULES}/${guid}`, { form: { name: 'wanted', query: QUICK, ...YEARLY } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await call('GET', `${SCHEDULES}?keywords=wanted`)).json.total_count).toBe(1);
  });

  it('one removes a query', async () => {
    const { key } = await createAccount(subject, 'ADMIN', { login: 'second' });
    const guids = await times(40, () => createSchedule(subject));
    const answers = await times(4, (n) =>
      call('DELETE', SCHEDULES, {
        form: { guids: (n % 2 ? guids : guids.toReversed()).join(',') },
        ...(n < 2 ? {} : { key }),
      }),
    );
    expect(sum(answers)).toBe(40);
    expect(failures(answers)).toHaveLength(120);
  });

  it('one starts a query', async () => {
    const guid = await createSchedule(subject, { query: SLOW });
    const answers = await times(6, () => call('POST', `${SCHEDULES}/run`, { form: { guids: guid } }));
    expect(sum(answers)).toBe(1);
    expect(failures(answers)).toEqual(Array.from({ length: 5 }, () => ({ id: guid, reason: 'already-running' })));
    expect(await slotsOf(subject, guid)).toHaveLength(1);
    await removeAll(subject);
  });

  it('one stops a query', async () => {
    const running = await times(3, () => createRunning(subject));
    const guids = running.map(({ guid }) => guid).join(',');
    const answers = await times(4, (n) =>
      call('POST', `${SCHEDULES}/stop`, { form: { guids, force: n % 2 ? 'true' : 'false' } }),
    );
    expect(sum(answers)).toBe(3);
    expect(failures(answers)).toEqual([]);
    for (const { guid } of running) expect(await endedSlots(subject, guid, 1)).toMatchObject([{ state: 'cancelled' }]);
    await removeAll(subject);
  });

  it('one removes a running query by force, and those who stop or remove it too hear the truth', async () => {
    const { guid } = await createRunning(subject);
    const remove = () => call('DELETE', SCHEDULES, { form: { guids: guid, policy: 'force' } });
    const stop = () => call('POST', `${SCHEDULES}/stop`, { form: { guids: guid } });
    const [one, halt, other] = await Promise.all([remove(), stop(), remove()]);
    expect(sum([one, other])).toBe(1);
    expect(failures([one, other])).toEqual([{ id: guid, reason: 'scheduled-query-not-found' }]);
    expect(halt.status).toBe(200);
    expect(halt.json.succeeded + halt.json.failures.length).toBeLessThanOrEqual(1);
    expect(await recordOf(subject, guid)).toBeNull();
  });

  it('none updates a query that another has removed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const guid = await createSchedule(subject);
      const form = { name: `updated ${round}`, query: QUICK, ...YEARLY };
      const [removed, updated] = await Promise.all([
        call('DELETE', SCHEDULES, { form: { guids: guid } }),
        call('PUT', `${SCHEDULES}/${guid}`, { form }),
      ]);
      expect(removed.json).toEqual({ succeeded: 1, failures: [] });
      if (updated.status !== 200) expect(updated.json.error_msg).toBe(`scheduled query not found: ${guid}`);
      expect(await recordOf(subject, guid)).toBeNull();
    }
  });
});
