// vigil schedule slots

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { type Field, jsonFlag, pagesOf, printList } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';
import { fromStamp } from '#contract/times.ts';
import { lengthText } from './fields.ts';
import { guidsOf } from './schedule.ts';

type Slot = AnswerFor<'GET /api/core/scheduled-queries/:guid/slots'>['slots'][number];

const filters: Flags = {
  from: {
    hint: 'TIME',
    about: { en: 'due from this time on: yyyy-MM-dd HH:mm:ssZ', ko: '이 시각부터: yyyy-MM-dd HH:mm:ssZ' },
    sends: 'from',
  },
  to: { hint: 'TIME', about: { en: 'due until this time', ko: '이 시각까지' }, sends: 'to' },
  outcome: {
    hint: 'ran,skipped,missed,backfilled',
    about: { en: 'only with one of these outcomes', ko: '이 처리 결과만' },
    sends: 'outcome',
  },
  ...pagesOf(100),
};

export const scheduleSlots: Command = {
  name: 'schedule slots',
  takes: 'NAME-or-GUID',
  about: {
    en: 'list the slots of a scheduled query and their outcomes, newest first',
    ko: '예약 쿼리의 예정 시각마다 어떻게 되었는지 최신순으로 나열합니다',
  },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [named = ''] = words;
    const client = connect(invocation);
    const guid = (await guidsOf(client, [named])).get(named) ?? named;
    const { slots, total_count } = await client.call('GET /api/core/scheduled-queries/:guid/slots', {
      limit: 100,
      ...paramsOf<'GET /api/core/scheduled-queries/:guid/slots'>(filters, flags),
      guid,
    });
    await printList({ invocation, client }, slots, fields);
    const isPart = slots.length > 0 && slots.length < total_count;
    if (isPart)
      note(translator.text('schedule-slots-part', { shown: String(slots.length), total: String(total_count) }));
    return 0;
  },
};

const fields: readonly Field<Slot>[] = [
  { title: 'field-slot-time', isTime: true, text: ({ slot_time }) => slot_time },
  { title: 'field-outcome', text: ({ outcome }) => outcome, isBad: ({ outcome }) => outcome === 'missed' },
  { title: 'field-reason', text: ({ reason }) => reason ?? '-' },
  { title: 'field-state', text: ({ state }) => state ?? '-', isBad: ({ state }) => state === 'failed' },
  { title: 'field-started', isTime: true, text: ({ started }) => started ?? '-' },
  { title: 'field-elapsed', isNumeric: true, text: elapsedText },
  { title: 'field-rows', isNumeric: true, text: ({ rows }) => (rows === null ? '-' : String(rows)) },
  { title: 'field-query-id', isNumeric: true, text: ({ query_id }) => (query_id === null ? '-' : String(query_id)) },
  { title: 'field-error', text: ({ error }) => error ?? '-', isBad: ({ error }) => error !== null },
];

/** The ledger has a resolution of a second. */
function elapsedText({ started, finished }: Slot): string {
  const [from, to] = [started, finished].map((stamp) => (stamp === null ? undefined : fromStamp(stamp)));
  return from && to ? (lengthText(to.epochMilliseconds - from.epochMilliseconds) ?? '-') : '-';
}
