// vigil schedule remove

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag } from '#cli/kit/output/records.ts';
import { printOutcome } from './outcome.ts';
import { guidsOf } from './schedule.ts';

export const scheduleRemove: Command = {
  name: 'schedule remove',
  takes: 'NAME-or-GUID...',
  about: { en: 'remove scheduled queries with their ledger', ko: '예약 쿼리와 그 실행 기록을 지웁니다' },
  flags: {
    force: { about: { en: 'stop those that are running, then remove them', ko: '실행 중인 것은 중지한 뒤 지움' } },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, words, translator } = invocation;
    const client = connect(invocation);
    const named = await guidsOf(client, words);
    const options = { guids: [...named.values()], policy: flags.force === undefined ? 'skip' : 'force' } as const;
    const answer = await client.call('DELETE /api/core/scheduled-queries', options);
    return await printOutcome({ invocation, client }, { named, answer }, (count, left) =>
      left === 0
        ? translator.text('schedule-removed', { count })
        : translator.text('schedule-removed-part', { count, left: String(left) }),
    );
  },
};
