// vigil user show

import { findUser } from '#cli/kit/account.ts';
import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag, printRecord } from '#cli/kit/output/records.ts';
import { allFields } from './fields.ts';

export const userShow: Command = {
  name: 'user show',
  takes: 'LOGIN-or-GUID',
  about: { en: 'show one account', ko: '계정 하나를 보여 줍니다' },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const [account = ''] = invocation.words;
    const client = connect(invocation);
    await printRecord({ invocation, client }, await findUser(client, account), allFields(invocation.translator));
    return 0;
  },
};
