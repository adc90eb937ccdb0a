// vigil upload cancel

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { type Field, jsonFlag, printJson, printList } from '#cli/kit/output/records.ts';

interface Cancellation {
  readonly token: string;
  /** The reason of the service for not cancelling it. */
  readonly reason: string | undefined;
}

export const uploadCancel: Command = {
  name: 'upload cancel',
  takes: 'TOKEN...',
  about: {
    en: 'cancel uploads in progress, with the bytes that have come',
    ko: '진행 중인 업로드를 받은 데이터와 함께 취소합니다',
  },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator } = invocation;
    const client = connect(invocation);
    const answer = await client.call('DELETE /api/core/upload-streams', { tokens: [...words] });
    const reasons = new Map(answer.failures.map(({ id, reason }) => [id, reason]));
    const done = words.map((token): Cancellation => ({ token, reason: reasons.get(token) }));
    const fields: readonly Field<Cancellation>[] = [
      { title: 'field-token', text: ({ token }) => token },
      {
        title: 'field-result',
        text: ({ reason }) => reason ?? translator.text('cancelled'),
        isBad: ({ reason }) => reason !== undefined,
      },
    ];
    if (flags.json) printJson(invocation, answer);
    else await printList({ invocation, client }, done, fields);
    return answer.failures.length === 0 ? 0 : FAILED;
  },
};
