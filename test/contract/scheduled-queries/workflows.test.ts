// Queries that follow queries: which end starts them, what they are handed, what they see, and cycles.

import { describe, expect, it } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { statusOf } from '#test/support/queries.ts';
import {
  createFollower,
  createRunning,
  createSchedule,
  endedSlots,
  FAILING,
  NOWHERE,
  QUICK,
  recordOf,
  removeAll,
  runningQuery,
  runToEnd,
  SCHEDULES,
  SLOW,
  slotsOf,
  slotsWhen,
  start,
  stop,
  toNextMinute,
} from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

// Many real runs on a machine that may be busy.
const cycle = (guid: string) => refused(500, 'illegal-state', `preceding query would form a cycle: ${guid}`);
const after = (guid: string, name: string) => ({
  name,
  query: QUICK,
  trigger_type: 'workflow',
  preceding_guid: guid,
  preceding_action: 'finished',
});

onEachDatabase('A workflow query', (subject) => {
  const { call, clock } = subject;

  it.each([
    ['succeeds', QUICK, { finished: 1, succeeded: 1, failed: 0 }],
    ['fails', FAILING, { finished: 1, succeeded: 0, failed: 1 }],
    ['does not parse', 'nonsense', { finished: 1, succeeded: 0, failed: 1 }],
  ])('runs after one that %s, if it waits for that', async (_, query, expected) => {
    const first = await createSchedule(subject, { query });
    const followers = new Map<string, string>();
    for (const action of Object.keys(expected)) {
      followers.set(action, await createFollower(subject, first, { preceding_action: action }));
    }
    const slot = await runToEnd(subject, first);
    for (const [action, count] of Object.entries(expected)) {
      const slots = await endedSlots(subject, followers.get(action) ?? '', count);
      expect(slots).toHaveLength(count);
      for (const one of slots) {
        expect(one).toMatchObject({ outcome: 'ran', reason: null, state: 'succeeded', slot_time: slot.finished });
      }
    }
    // Once more, so that a slot which came too late to be seen would be seen now.
    await runToEnd(subject, first);
    for (const [action, count] of Object.entries(expected)) {
      expect(await endedSlots(subject, followers.get(action) ?? '', 2 * count)).toHaveLength(2 * count);
    }
    await removeAll(subject);
  });

  it('does not run after one that was cancelled, or while it is disabled', async () => {
    const { guid } = await createRunning(subject);
    const follower = await createFollower(subject, guid);
    await stop(subject, guid);
    const first = await createSchedule(subject);
    const disabled = await createFollower(subject, first, { enabled: 'false' });
    const enabled = await createFollower(subject, first);
    await runToEnd(subject, first);
    await endedSlots(subject, enabled, 1);
    expect(await slotsOf(subject, follower)).toEqual([]);
    expect((await slotsOf(subject, disabled)).filter(({ run_guid }) => run_guid !== null)).toEqual([]);
    await removeAll(subject);
  });

  it('may be one of many after one, and have others after it', async () => {
    const first = await createSchedule(subject);
    const wide = await Promise.all(Array.from({ length: 5 }, () => createFollower(subject, first)));
    let last = first;
    const chain: string[] = [];
    for (let step = 0; step < 6; step += 1) {
      last = await createFollower(subject, last, { preceding_action: 'succeeded' });
      chain.push(last);
    }
    await start(subject, first);
    for (const guid of [...wide, ...chain]) expect(await endedSlots(subject, guid, 1)).toHaveLength(1);
    await removeAll(subject);
  });

  it('sees the clock of the run it follows, and is due when that has ended', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'clocks' } });
    const query = (who: string) => `json "{who:'${who}'}" | eval seen = string(now(), "HH:mm:ss") | import clocks`;
    const first = await createSchedule(subject, { query: query('1st'), enabled: 'true', cron_schedule: '* * * * *' });
    const second = await createFollower(subject, first, { query: query('2nd') });
    const third = await createFollower(subject, second, { query: query('3rd') });
    toNextMinute(clock);
    clock.advance({ seconds: 17 });
    const [one] = await endedSlots(subject, first, 1);
    const [two] = await endedSlots(subject, second, 1);
    const [three] = await endedSlots(subject, third, 1);
    expect(one.slot_time).toMatch(/ \d\d:\d\d:00\+0000$/);
    expect([two.slot_time, three.slot_time]).toEqual([one.finished, two.finished]);
    const due = one.slot_time.slice(11, 19);
    const rows = await rowsOf(subject, 'table clocks | sort who');
    expect(rows.map(({ who, seen }) => [who, seen])).toEqual([
      ['1st', due],
      ['2nd', due],
      ['3rd', due],
    ]);
    await removeAll(subject);
  });

  it('is handed the last row of the one before, with its types, if that hands on its output', async () => {
    const row =
      'json "[{i:0},{i:42}]" | eval d = 1.5, big = 9007199254740993, s = "a\\"b", yes = true, nothing = null,' +
      ' when = date("2024-02-29 12:00:00"), list = array(1, "x"), _own = 1';
    const first = await createSchedule(subject, { query: row, output_parameter: 'true' });
    const query =
      'json "{}" | eval sum = $("i") + 1, half = $("d") / 2, exact = $("big") == 9007199254740993,' +
      ' day = string(dateadd($("when"), "day", 1), "MM-dd"), flag = if($("yes"), "y", "n"), len = len($("list")),' +
      ' text = $("s"), void = isnull($("nothing", null)), own = $("own", "none")';
    const second = await createFollower(subject, first, { query, output_parameter: 'true' });
    const third = await createFollower(subject, second);
    await start(subject, first);
    const [slot] = await endedSlots(subject, second, 1);
    const handed = {
      i: 42,
      d: 1.5,
      s: 'a"b',
      yes: true,
      when: '2024-02-29 12:00:00+0000',
      list: [1, 'x'],
    };
    expect(slot).toMatchObject({ state: 'succeeded', error: null, constants: handed });
    expect(Object.keys(slot.constants)).not.toContain('_own');
    expect((await statusOf(subject, slot.query_id)).constants).toMatchObject(handed);
    const [last] = await endedSlots(subject, third, 1);
    expect(last.constants).toMatchObject({
      sum: 43,
      half: 0.75,
      exact: true,
      day: '03-01',
      flag: 'y',
      len: 2,
      text: 'a"b',
      void: true,
      own: 'none',
    });
    await removeAll(subject);
  });

  it('is skipped while its run before is still going on', async () => {
    const first = await createSchedule(subject);
    const follower = await createFollower(subject, first, { query: SLOW });
    await runToEnd(subject, first);
    await runningQuery(subject, follower);
    const again = await runToEnd(subject, first);
    const slots = await slotsWhen(subject, follower, (all) => all.length === 2);
    const skipped = slots.find(({ state }) => state === null);
    expect(skipped).toMatchObject({ outcome: 'skipped', reason: 'still-running', slot_time: again.finished });
    expect(slots.filter(({ state }) => state === 'running')).toHaveLength(1);
    await removeAll(subject);
  });

  it('is handed names and values of every kind and size', async () => {
    const long = '한'.repeat(100_000);
    const query = `json "{'a b':1, '이름':'값', '$(x)':3}" | eval long = "${long}"`;
    const first = await createSchedule(subject, { query, output_parameter: 'true' });
    const follower = await createFollower(subject, first, {
      query: 'json "{}" | eval n = $("a b") + 1, s = $("이름"), size = len($("long"))',
      output_parameter: 'true',
    });
    const last = await createFollower(subject, follower);
    expect(await runToEnd(subject, first)).toMatchObject({ state: 'succeeded', error: null });
    expect((await endedSlots(subject, last, 1))[0].constants).toEqual({ n: 2, s: '값', size: 100_000 });
    await removeAll(subject);
  });

  it('may be the last of a long chain, or one of hundreds', async () => {
    const first = await createSchedule(subject);
    let last = first;
    for (let step = 0; step < 60; step += 1) last = await createFollower(subject, last);
    const wide = await Promise.all(Array.from({ length: 200 }, () => createFollower(subject, first)));
    const name = (await recordOf(subject, first)).name;
    const answer = await call('PUT', `${SCHEDULES}/${first}`, { form: after(last, name) });
    expect(outcome(answer)).toEqual(cycle(last));
    await start(subject, first);
    for (const guid of [last, ...wide]) {
      expect(await endedSlots(subject, guid, 1)).toMatchObject([{ state: 'succeeded' }]);
    }
    await removeAll(subject);
  });

  it('is handed nothing by one without output, or without a row', async () => {
    const query = 'json "{}" | eval got = $("a", "nothing")';
    for (const fields of [
      { query: QUICK },
      { query: QUICK, output_parameter: 'false' },
      { query: 'json "[]"', output_parameter: 'true' },
      { query: `${QUICK} | search a == 2`, output_parameter: 'true' },
    ]) {
      const first = await createSchedule(subject, fields);
      const second = await createFollower(subject, first, { query, output_parameter: 'true' });
      const third = await createFollower(subject, second);
      await start(subject, first);
      expect((await endedSlots(subject, third, 1))[0].constants).toEqual({ got: 'nothing' });
    }
    await removeAll(subject);
  });

  it('fails when a place needs the value of a parameter that it is not handed', async () => {
    const first = await createSchedule(subject);
    const second = await createFollower(subject, first, { query: 'json "{}" | limit $("a")' });
    await start(subject, first);
    const [slot] = await endedSlots(subject, second, 1);
    expect(slot).toMatchObject({ outcome: 'ran', state: 'failed', error: expect.any(String) });
    await removeAll(subject);
  });

  it('may not lead back to itself', async () => {
    const first = await createSchedule(subject, { name: 'first' });
    const chain = [first];
    for (let step = 0; step < 5; step += 1) chain.push(await createFollower(subject, chain.at(-1) ?? ''));
    const last = chain.at(-1) ?? '';
    const before = await recordOf(subject, first);
    for (const guid of [first, ...chain.slice(1)]) {
      const answer = await call('PUT', `${SCHEDULES}/${first}`, { form: after(guid.toUpperCase(), 'first') });
      expect(outcome(answer)).toEqual(cycle(guid));
    }
    expect(await recordOf(subject, first)).toEqual(before);
    // Where the last one no longer follows, the first may follow it.
    await call('PUT', `${SCHEDULES}/${chain[3]}`, { form: after(NOWHERE, 'cut') });
    expect(outcome(await call('PUT', `${SCHEDULES}/${first}`, { form: after(last, 'first') }))).toEqual([200, {}]);
    await removeAll(subject);
  });

  it('may not be created into a cycle', async () => {
    const guid = 'abcdef00-0000-4000-8000-00000000000c';
    const self = await call('POST', SCHEDULES, { form: { guid, ...after(guid, 'self') } });
    expect(outcome(self)).toEqual(cycle(guid));
    const waiting = await createFollower(subject, guid);
    const answer = await call('POST', SCHEDULES, { form: { guid, ...after(waiting, 'late') } });
    expect(outcome(answer)).toEqual(cycle(waiting));
    expect(await recordOf(subject, guid)).toBeNull();
    await removeAll(subject);
  });

  it('may not be brought into a cycle by two updates at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ring: string[] = [];
      for (let n = 0; n < 4; n += 1) ring.push(await createSchedule(subject));
      const answers = await Promise.all(
        ring.map((guid, n) =>
          call('PUT', `${SCHEDULES}/${guid}`, { form: after(ring[(n + 1) % ring.length] ?? '', `${round}-${n}`) }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      const records = await Promise.all(ring.map((guid) => recordOf(subject, guid)));
      expect(records.filter(({ preceding_guid }: Wire) => preceding_guid === null)).toHaveLength(1);
    }
    await removeAll(subject);
  });
});

describe('A duplicated name', () => {
  const subject = serviceFor();

  it('is told before a cycle', async () => {
    const one = await createSchedule(subject, { name: 'one' });
    await createSchedule(subject, { name: 'other' });
    const answer = await subject.call('PUT', `${SCHEDULES}/${one}`, { form: after(one, 'other') });
    expect(outcome(answer)).toEqual(refused(500, 'illegal-state', 'duplicated name: other'));
  });
});
