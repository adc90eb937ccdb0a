// vigil event close: sets the status of events, `closed` unless another one is named.

import { type Client, clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { type Field, jsonFlag, printJson, printList } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';
import { EVENT_STATUSES } from '#detection/rules/rule-kinds.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { type EventStatus, statusText } from './event.ts';

type Outcome = AnswerFor<'PUT /api/core/events/status'>;
type Failure = Outcome['failures'][number];

interface Change {
  readonly status: EventStatus;
  readonly reason?: string;
}

/** Events of one request. */
const MAX_AT_ONCE = 1000;

export const eventClose: Command = {
  name: 'event close',
  takes: 'GUID...',
  about: {
    en: 'close events, or give them another status, with a reason',
    ko: '이벤트를 종료하거나 다른 상태로 바꾸고 이유를 남깁니다',
  },
  flags: {
    status: {
      hint: EVENT_STATUSES.join('|'),
      about: { en: 'status of the events; closed by default', ko: '이벤트의 상태, 기본값은 closed' },
    },
    reason: { hint: 'TEXT', about: { en: 'reason of the status', ko: '그 상태로 두는 이유' } },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const { reason } = flags;
    const status = statusOf(flags.status ?? 'closed');
    const client = connect(invocation);
    const outcome = await setStatus(client, words, { status, ...(reason === undefined ? {} : { reason }) });
    if (flags.json) printJson(invocation, outcome);
    else {
      const changed = { count: String(outcome.succeeded), status: statusText(status, translator) };
      note(translator.text('event-changed', changed));
      if (outcome.failures.length > 0) await printList({ invocation, client }, outcome.failures, failureFields);
    }
    return outcome.failures.length === 0 ? 0 : FAILED;
  },
};

/** The status of all words is set, also where some name no event. */
async function setStatus(client: Client, guids: readonly string[], change: Change): Promise<Outcome> {
  const failures: Failure[] = [];
  let succeeded = 0;
  for (let at = 0; at < guids.length; at += MAX_AT_ONCE) {
    const request = { guids: guids.slice(at, at + MAX_AT_ONCE), ...change };
    const answer = await client.call('PUT /api/core/events/status', request);
    succeeded += answer.succeeded;
    failures.push(...answer.failures);
  }
  return { succeeded, failures };
}

function statusOf(text: string): EventStatus {
  const status = EVENT_STATUSES.find((one) => one === text);
  if (status) return status;
  throw new UsageError('setting-not-one-of', { name: '--status', values: EVENT_STATUSES.join(', '), text });
}

const failureFields: readonly Field<Failure>[] = [
  { title: 'field-guid', text: ({ id }) => id },
  { title: 'field-result', text: ({ reason }) => reason, isBad: () => true },
];
