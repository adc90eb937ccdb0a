// vigil schedule next: computes the next times of a schedule from its record.

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Invocation } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { asWritten, timeTextFor } from '#cli/kit/output/time-text.ts';
import { readVariable } from '#cli/kit/variable.ts';
import { fromStamp, toStamp } from '#contract/times.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { parseCron } from '#scheduler/cron/cron.ts';
import { zone as readZone } from '#settings/setting.ts';
import { precedingText } from './fields.ts';
import { findSchedule, type ScheduledQuery } from './schedule.ts';

const MAX_COUNT = 1000;
const LATEST = Temporal.Instant.from('9999-12-31T00:00Z');
const ENDED = {
  finished: 'schedule-ended-finished',
  succeeded: 'schedule-ended-succeeded',
  failed: 'schedule-ended-failed',
} as const;

interface NextOptions {
  readonly zone: string | undefined;
  readonly count: number;
}

export const scheduleNext: Command = {
  name: 'schedule next',
  takes: 'NAME-or-GUID',
  about: { en: 'show when a scheduled query is due next', ko: '예약 쿼리의 다음 예정 시각들을 보여 줍니다' },
  flags: {
    count: { hint: 'N', about: { en: 'how many times', ko: '보여 줄 개수' }, initial: '10' },
    'time-zone': {
      hint: 'ZONE',
      about: { en: 'time zone of the service', ko: '서비스의 시간대' },
      variable: 'VIGIL_TIME_ZONE',
    },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, environment, words, translator, print, note } = invocation;
    const [named = ''] = words;
    const count = countOf(flags.count ?? '10');
    const given = flags['time-zone'] ?? readVariable(environment, 'VIGIL_TIME_ZONE', '--time-zone');
    const zone = given === undefined ? undefined : readZone(given, '--time-zone');
    const client = connect(invocation);
    const schedule = await findSchedule(client, named);
    const due = comingTimes(schedule, { zone, count });
    if (flags.json) printJson(invocation, due);
    // With one offset for all, later times are those of the service alone.
    const timeText = zone === undefined ? asWritten : await timeTextFor(client, invocation);
    if (!flags.json) for (const time of due) print(timeText(time));
    if (due.length === 0) note(whyNone(invocation, schedule));
    else if (zone === undefined && !flags.json) note(translator.text('schedule-offset-only'));
    return 0;
  },
};

function countOf(text: string): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_COUNT) throw new UsageError('schedule-count-wrong', { text });
  return count;
}

/** The first time comes from the service, which does not name its time zone. */
function comingTimes({ next_run_time, cron_schedule }: ScheduledQuery, { zone, count }: NextOptions): string[] {
  const first = next_run_time === null ? undefined : fromStamp(next_run_time);
  const schedule = parseCron(cron_schedule ?? '');
  if (!next_run_time || !first || !schedule) return [];
  if (zone !== undefined) {
    const [computed] = schedule.between(first, LATEST, zone, 1);
    if (!computed?.equals(first)) throw zoneDiffers(zone, { actual: next_run_time, computed });
  }
  // Without a zone, the offset of the first time is used.
  const counted = zone ?? first.toZonedDateTimeISO(next_run_time.slice(-5)).timeZoneId;
  const further = schedule.between(first.add({ nanoseconds: 1 }), LATEST, counted, count - 1);
  return [first, ...further].map((moment) => toStamp(moment, counted));
}

function zoneDiffers(zone: string, { actual, computed }: { actual: string; computed: Temporal.Instant | undefined }) {
  return new UsageError('schedule-zone-differs', { zone, actual, computed: computed ? toStamp(computed, zone) : '-' });
}

function whyNone({ translator: { text } }: Invocation, schedule: ScheduledQuery): string {
  const { name, enabled, cron_schedule, preceding_action } = schedule;
  if (!enabled) return text('schedule-disabled', { name });
  if (cron_schedule !== null) return text('schedule-never-due', { name, cron: cron_schedule });
  const action = text(ENDED[preceding_action ?? 'finished']);
  return text('schedule-follows', { name, preceding: precedingText(schedule), action });
}
