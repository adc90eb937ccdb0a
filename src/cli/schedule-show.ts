// vigil schedule show

import { clientFlags, connect } from './client.ts';
import type { Command } from './command.ts';
import { jsonFlag, printRecord } from './records.ts';
import { findSchedule } from './schedule.ts';
import { allFields } from './schedule-fields.ts';

export const scheduleShow: Command = {
  name: 'schedule show',
  takes: 'NAME-or-GUID',
  about: { en: 'show one scheduled query', ko: '예약 쿼리 하나를 보여 줍니다' },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const [named = ''] = invocation.words;
    printRecord(invocation, await findSchedule(connect(invocation), named), allFields(invocation.speech));
    return 0;
  },
};
