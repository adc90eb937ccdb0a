// How an entry tells what came of a call on several objects, and how that reads in both languages.

import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { auditLogs, entriesOf } from '#test/support/audit.ts';
import { createSchedule, SCHEDULES, SLOW, slotsWhen } from '#test/support/scheduled-queries.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const CATEGORIES = '/api/core/rule-categories';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const ABSENT = { id: NOWHERE, reason: 'scheduled-query-not-found' };

onEachDatabase('An entry about several objects', (subject) => {
  const { call } = subject;
  const running = async (name: string) => {
    const guid = await createSchedule(subject, { name, query: SLOW });
    await call('POST', `${SCHEDULES}/run`, { form: { guids: guid } });
    await slotsWhen(subject, guid, ([slot]) => slot?.started !== null);
    return guid;
  };
  const asked = async (method: string, path: string, form: Readonly<Record<string, string>>) => {
    const [entry, ...further] = await entriesOf(subject, () => call(method, path, { form }));
    expect(further).toEqual([]);
    return entry;
  };

  it('says what was left alone, which is no error', async () => {
    const busy = await running('busy');
    const idle = await createSchedule(subject, { name: 'idle' });
    const kept = await asked('DELETE', SCHEDULES, { guids: busy });
    expect(kept.msg_params).toMatchObject({
      succeeded: 0,
      failed: 0,
      failures: [],
      skipped: [{ id: busy, reason: 'still-running' }],
      objects: [{ guid: busy, name: 'busy' }],
    });
    expect([kept.error, kept.result, kept.msg]).toEqual([
      undefined,
      'Success',
      'Removal of scheduled queries busy; left alone: 1',
    ]);
    const stopped = await asked('POST', `${SCHEDULES}/stop`, { guids: [busy, idle, idle, NOWHERE].join(',') });
    expect(stopped.msg_params).toMatchObject({
      succeeded: 1,
      failed: 1,
      failures: [ABSENT],
      skipped: [{ id: idle, reason: 'already-stopped' }],
      objects: [
        { guid: busy, name: 'busy' },
        { guid: idle, name: 'idle' },
      ],
    });
    expect([stopped.error, stopped.result]).toEqual([undefined, 'Partial success']);
    expect(stopped.msg).toBe('Stop of scheduled queries busy, idle; failed: 1; left alone: 1');
    const [inKorean] = await auditLogs(subject, 'locale=ko-KR');
    expect([inKorean.result, inKorean.msg]).toEqual([
      '일부 성공',
      '예약 쿼리 busy, idle 중지; 실패 1건; 그대로 둔 항목 1건',
    ]);
    // One that was left alone is enough for the call not to have been in vain.
    const rest = await asked('POST', `${SCHEDULES}/stop`, { guids: `${idle},${NOWHERE}` });
    expect([rest.error, rest.result]).toEqual([undefined, 'Partial success']);
  });

  it('has the first reason as its error when nothing was done, unless it was only tried', async () => {
    const vain = await asked('POST', `${SCHEDULES}/stop`, { guids: NOWHERE });
    expect([vain.error, vain.result]).toEqual(['scheduled-query-not-found', 'Failure']);
    expect(vain.msg_params).toMatchObject({ succeeded: 0, failed: 1, failures: [ABSENT], skipped: [], objects: [] });
    const tried = await asked('DELETE', CATEGORIES, { guids: NOWHERE, dry_run: 'true' });
    expect([tried.error, tried.result]).toEqual([undefined, 'Partial success']);
    expect(tried.msg_params).toMatchObject({ succeeded: 0, failed: 1, dry_run: true });
    expect(tried.msg).toContain('; only tried, nothing was done');
  });

  it('lists the first hundred of each, and counts them all', async () => {
    const guids: string[] = [];
    for (let index = 0; index < 101; index += 1) guids.push(await created(subject, CATEGORIES, { name: `c${index}` }));
    const absent = Array.from({ length: 101 }, (_, index) => NOWHERE.replace(/0{4}$/, String(1000 + index)));
    const entry = await asked('DELETE', CATEGORIES, { guids: [...absent, ...guids].join(',') });
    const { succeeded, failed, failures, objects } = entry.msg_params;
    expect([succeeded, failed, failures.length, objects.length]).toEqual([101, 101, 100, 100]);
    expect(failures[0]).toEqual({ id: absent[0], reason: 'rule-category-not-found' });
    expect(objects[99]).toEqual({ guid: guids[99], name: 'c99' });
    expect(entry.msg).toMatch(/^Removal of rule categories c0, c1, .*, c9 and 90 more; failed: 101$/);
  });

  it('is found by the label of its outcome, in both languages', async () => {
    const guid = await created(subject, CATEGORIES, { name: 'half' });
    await call('DELETE', CATEGORIES, { form: { guids: `${guid},${NOWHERE}` } });
    for (const keyword of ['PARTIAL success', '일부 성공']) {
      const found = await auditLogs(subject, `keywords=${encodeURIComponent(keyword)}&locale=en`);
      expect(found.length).toBeGreaterThan(0);
      expect(found.filter(({ result }) => result !== 'Partial success')).toEqual([]);
    }
    const [newest] = await auditLogs(subject, 'keywords=success&keywords=half&locale=en');
    expect(newest).toMatchObject({ method: 'remove', msg_params: { succeeded: 1, failed: 1 } });
  });
});
