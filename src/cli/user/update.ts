// vigil user update

import { guidOfAccount } from '#cli/kit/account.ts';
import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { nameFlags, optionalFlags } from './fields.ts';

const fields: Flags = {
  login: { hint: 'LOGIN', about: { en: 'another login', ko: '새 로그인 이름' }, sends: 'login' },
  ...nameFlags,
  ...optionalFlags,
};

export const userUpdate: Command = {
  name: 'user update',
  takes: 'LOGIN-or-GUID',
  about: {
    en: 'change an account; fields without a flag stay as they are',
    ko: '계정을 바꿉니다. 주지 않은 값은 그대로 둡니다',
  },
  flags: { ...fields, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [account = ''] = words;
    const changes = paramsOf<'PUT /api/core/users/:guid'>(fields, flags);
    if (Object.keys(changes).length === 0) throw new UsageError('nothing-to-change');
    const client = connect(invocation);
    const guid = await guidOfAccount(client, account);
    const answer = await client.call('PUT /api/core/users/:guid', { ...changes, guid });
    if (flags.json) printJson(invocation, answer);
    note(translator.text('user-changed', { account }));
    return 0;
  },
};
