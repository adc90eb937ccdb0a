// vigil schedule show

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag, printRecord } from '#cli/kit/output/records.ts';
import { allFields } from './fields.ts';
import { findSchedule } from './schedule.ts';

export const scheduleShow: Command = {
  name: 'schedule show',
  takes: 'NAME-or-GUID',
  about: { en: 'show one scheduled query', ko: '예약 쿼리 하나를 보여 줍니다' },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const [named = ''] = invocation.words;
    const client = connect(invocation);
    await printRecord({ invocation, client }, await findSchedule(client, named), allFields(invocation.translator));
    return 0;
  },
};
