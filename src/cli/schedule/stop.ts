// vigil schedule stop

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag } from '#cli/kit/output/records.ts';
import { printOutcome } from './outcome.ts';
import { guidsOf } from './schedule.ts';

export const scheduleStop: Command = {
  name: 'schedule stop',
  takes: 'NAME-or-GUID...',
  about: {
    en: 'stop the runs of scheduled queries; the schedules stay enabled',
    ko: '실행 중인 예약 쿼리를 중지합니다. 사용 설정은 그대로입니다',
  },
  flags: {
    force: { about: { en: 'cancel at once, without the rows so far', ko: '지금까지의 행을 버리고 즉시 중지' } },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const { flags, words, translator } = invocation;
    const client = connect(invocation);
    const named = await guidsOf(client, words);
    const options = { guids: [...named.values()], force: flags.force !== undefined };
    const answer = await client.call('POST /api/core/scheduled-queries/stop', options);
    return await printOutcome({ invocation, client }, { named, answer }, (count, left) =>
      left === 0
        ? translator.text('schedule-stopped', { count })
        : translator.text('schedule-stopped-part', { count, left: String(left) }),
    );
  },
};
