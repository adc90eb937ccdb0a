// vigil schedule run

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag } from '#cli/kit/output/records.ts';
import { printOutcome } from './outcome.ts';
import { guidsOf } from './schedule.ts';

export const scheduleRun: Command = {
  name: 'schedule run',
  takes: 'NAME-or-GUID...',
  about: {
    en: 'run scheduled queries now, disabled ones too',
    ko: '예약 쿼리를 지금 실행합니다. 사용하지 않는 것도 실행합니다',
  },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const named = await guidsOf(client, invocation.words);
    const answer = await client.call('POST /api/core/scheduled-queries/run', { guids: [...named.values()] });
    return await printOutcome({ invocation, client }, { named, answer }, (count) =>
      invocation.translator.text('schedule-started', { count }),
    );
  },
};
