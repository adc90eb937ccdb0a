// vigil audit list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { type Field, jsonFlag, pagesOf, printList } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';
import { toStamp } from '#contract/times.ts';
import { auditFilters } from './filters.ts';

type Entry = AnswerFor<'GET /api/core/audit-logs'>['audit_logs'][number];

const wanted: Flags = {
  ...auditFilters,
  ...pagesOf(1000),
};

export const auditList: Command = {
  name: 'audit list',
  about: { en: 'list audit entries, newest first', ko: '감사 기록을 최신순으로 나열합니다' },
  flags: { ...wanted, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, translator, note } = invocation;
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/audit-logs'>(wanted, flags);
    const answer = await client.call('GET /api/core/audit-logs', query);
    await printList({ invocation, client }, answer.audit_logs, fields);
    const shown = answer.audit_logs.length;
    const isPart = shown > 0 && shown < answer.total;
    if (isPart) note(translator.text('part-shown', { shown: String(shown), total: String(answer.total) }));
    return 0;
  },
};

const fields: readonly Field<Entry>[] = [
  { title: 'field-id', text: ({ id }) => String(id) },
  { title: 'field-time', isTime: true, text: ({ time }) => stampOf(time) },
  { title: 'field-user', text: ({ user }) => user },
  { title: 'field-address', text: ({ remote_ip }) => remote_ip },
  // An entry from a newer version may have no label here.
  { title: 'field-action', text: ({ action, module, method }) => action ?? `${module}.${method}` },
  { title: 'field-result', text: ({ result }) => result, isBad: ({ error }) => error !== undefined },
  { title: 'field-message', text: ({ msg, error }) => [msg, error].filter((text) => text !== undefined).join(': ') },
];

const stampOf = (milliseconds: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(milliseconds), 'UTC');
