// vigil schedule remove

import { clientFlags, connect } from './client.ts';
import type { Command } from './command.ts';
import { jsonFlag } from './records.ts';
import { guidsOf, SCHEDULES } from './schedule.ts';
import { type Outcome, printOutcome } from './schedule-outcome.ts';

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
    const { flags, words, speech } = invocation;
    const client = connect(invocation);
    const named = await guidsOf(client, words);
    const wish = { guids: [...named.values()], policy: flags.force === undefined ? 'skip' : 'force' };
    const answer = await client.send<Outcome>('DELETE', SCHEDULES, wish);
    return printOutcome(invocation, { named, answer }, (count, left) =>
      left === 0
        ? speech.say('schedule-removed', { count })
        : speech.say('schedule-removed-part', { count, left: String(left) }),
    );
  },
};
