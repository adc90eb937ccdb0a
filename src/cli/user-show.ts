// vigil user show

import { findUser } from './account.ts';
import { clientFlags, connect } from './client.ts';
import type { Command } from './command.ts';
import { jsonFlag, printRecord } from './records.ts';
import { allFields } from './user-fields.ts';

export const userShow: Command = {
  name: 'user show',
  takes: 'LOGIN-or-GUID',
  about: { en: 'show one account', ko: '계정 하나를 보여 줍니다' },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const [account = ''] = invocation.words;
    printRecord(invocation, await findUser(connect(invocation), account), allFields(invocation.speech));
    return 0;
  },
};
