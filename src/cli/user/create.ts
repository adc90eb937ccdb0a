// vigil user create

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { nameFlags, optionalFlags } from './fields.ts';

const fields: Flags = {
  name: { ...nameFlags.name, isRequired: true },
  role: { ...nameFlags.role, isRequired: true },
  ...optionalFlags,
};

export const userCreate: Command = {
  name: 'user create',
  takes: 'LOGIN',
  about: { en: 'create an account', ko: '계정을 만듭니다' },
  flags: { ...fields, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, print, note } = invocation;
    const [login = ''] = words;
    const answer = await connect(invocation).call('POST /api/core/users', {
      ...paramsOf<'POST /api/core/users'>(fields, flags),
      login,
    });
    if (flags.json) printJson(invocation, answer);
    else print(answer.guid);
    note(translator.text('user-created', { login }));
    return 0;
  },
};
