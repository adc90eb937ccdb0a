// vigil event list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { type Field, jsonFlag, pagesOf, printList } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { EVENT_STATUSES, PRIORITIES, RULE_KINDS } from '#detection/rules/rule-kinds.ts';
import { type Event, statusText } from './event.ts';

const filters: Flags = {
  keywords: {
    hint: 'TEXT',
    about: {
      en: 'only events with this text in rule, message or key',
      ko: '룰, 내용, 억제 키에 이 글이 있는 이벤트만',
    },
    sends: 'keywords',
  },
  status: {
    hint: EVENT_STATUSES.join(','),
    about: { en: 'only with one of these statuses', ko: '이 상태의 이벤트만' },
    sends: 'statuses',
    isList: true,
  },
  priority: {
    hint: PRIORITIES.join(','),
    about: { en: 'only with one of these priorities', ko: '이 우선순위의 이벤트만' },
    sends: 'priorities',
    isList: true,
  },
  kind: {
    hint: RULE_KINDS.join(','),
    about: { en: 'only of rules of these kinds', ko: '이 종류의 룰이 낸 이벤트만' },
    sends: 'rule_types',
    isList: true,
  },
  rules: {
    hint: 'GUIDS',
    about: { en: 'only of these rules', ko: '이 룰들이 낸 이벤트만' },
    sends: 'rule_guids',
    isList: true,
  },
  from: {
    hint: 'TIME',
    about: {
      en: 'last match from this time on, such as "2026-01-31 00:00:00+0900"',
      ko: '마지막 탐지가 이때부터, 예: "2026-01-31 00:00:00+0900"',
    },
    sends: 'from',
  },
  to: { hint: 'TIME', about: { en: 'last match up to this time', ko: '마지막 탐지가 이때까지' }, sends: 'to' },
  ...pagesOf(100),
};

export const eventList: Command = {
  name: 'event list',
  about: { en: 'list the events of rules, newest first', ko: '룰이 낸 이벤트를 최신순으로 나열합니다' },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, translator, note } = invocation;
    const client = connect(invocation);
    const query = { limit: 100, ...paramsOf<'GET /api/core/events'>(filters, flags) };
    const { events, total_count } = await client.call('GET /api/core/events', query);
    await printList({ invocation, client }, events, fields(translator));
    const isPart = events.length > 0 && events.length < total_count;
    if (isPart) note(translator.text('part-shown', { shown: String(events.length), total: String(total_count) }));
    return 0;
  },
};

const fields = (translator: Translator): readonly Field<Event>[] => [
  { title: 'field-last-time', isTime: true, text: ({ last_time }) => last_time },
  { title: 'field-priority', text: ({ priority }) => priority, isBad: ({ priority }) => priority === 'HIGH' },
  { title: 'field-status', text: ({ status }) => statusText(status, translator) },
  { title: 'field-rule', text: ({ rule_name }) => rule_name },
  { title: 'field-count', isNumeric: true, text: ({ count }) => String(count) },
  { title: 'field-message', text: ({ msg }) => msg },
  { title: 'field-guid', text: ({ guid }) => guid },
];
