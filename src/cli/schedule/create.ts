// vigil schedule create

import { type Client, clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags, Invocation } from '#cli/kit/command.ts';
import { findingLines } from '#cli/kit/failures/findings.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { timeTextFor } from '#cli/kit/output/time-text.ts';
import { precedingText } from './fields.ts';
import { findSchedule, guidsOf } from './schedule.ts';

const fields: Flags = {
  query: { hint: 'TEXT', about: { en: 'the query', ko: '쿼리' }, sends: 'query', isRequired: true },
  cron: {
    hint: 'EXPRESSION',
    about: { en: 'when it runs: minute hour day month weekday', ko: '실행 일정: 분 시 일 월 요일' },
    sends: 'cron_schedule',
  },
  on: {
    hint: 'finished|succeeded|failed',
    about: {
      en: 'with --after: the end that starts it; finished by default',
      ko: '--after와 함께: 기다릴 결과, 기본값은 finished',
    },
    sends: 'preceding_action',
  },
  description: { hint: 'TEXT', about: { en: 'description', ko: '설명' }, sends: 'description' },
  enabled: { about: { en: 'enabled from its creation on', ko: '만드는 즉시 사용' }, sends: 'enabled' },
  'node-types': {
    hint: 'control,data',
    about: { en: 'types of nodes that may run it', ko: '실행할 노드 종류' },
    sends: 'node_types',
    isList: true,
  },
  'output-parameter': {
    about: { en: 'pass its last row on to its followers', ko: '마지막 행을 다음 쿼리에 전달' },
    sends: 'output_parameter',
  },
};

export const scheduleCreate: Command = {
  name: 'schedule create',
  takes: 'NAME',
  about: { en: 'create a scheduled query', ko: '예약 쿼리를 만듭니다' },
  flags: {
    ...fields,
    after: {
      hint: 'NAME-or-GUID',
      about: {
        en: 'in place of --cron: run when this scheduled query has ended',
        ko: '--cron 대신: 이 쿼리가 끝나면 실행',
      },
    },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, words } = invocation;
    const [name = ''] = words;
    const client = connect(invocation);
    const trigger = await triggerOf(client, flags.after);
    const params = paramsOf<'POST /api/core/scheduled-queries'>(fields, flags);
    const answer = await client.call('POST /api/core/scheduled-queries', { ...trigger, ...params, name });
    if (flags.json) printJson(invocation, answer);
    findingLines(answer, flags.query ?? '', invocation.translator).forEach(invocation.note);
    await report(invocation, client, answer.guid);
    return 0;
  },
};

async function triggerOf(client: Client, after: string | undefined) {
  if (after === undefined) return { trigger_type: 'cron' } as const;
  const guid = (await guidsOf(client, [after])).get(after) ?? after;
  return { trigger_type: 'workflow', preceding_guid: guid, preceding_action: 'finished' } as const;
}

async function report(invocation: Invocation, client: Client, guid: string): Promise<void> {
  const { translator, note } = invocation;
  const { text } = translator;
  const timeText = await timeTextFor(client, invocation);
  const schedule = await findSchedule(client, guid);
  const { name, next_run_time, trigger_type } = schedule;
  if (next_run_time !== null) note(text('schedule-created-enabled', { name, next: timeText(next_run_time) }));
  else if (trigger_type === 'cron') note(text('schedule-created', { name }));
  else note(text('schedule-created-follower', { name, preceding: precedingText(schedule) }));
}
