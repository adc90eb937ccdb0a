// vigil key revoke

import { guidOrOwn } from '#cli/kit/account.ts';
import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/records.ts';

export const keyRevoke: Command = {
  name: 'key revoke',
  takes: 'KEY-GUID [LOGIN-or-GUID]',
  about: {
    en: 'revoke a key of an account, by default your own',
    ko: '계정의 키를 폐기합니다. 기본값은 자기 계정',
  },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [key = '', account] = words;
    const client = connect(invocation);
    const guid = await guidOrOwn(client, account);
    const answer = await client.call('DELETE /api/core/users/:guid/api-keys/:key_guid', { guid, key_guid: key });
    if (flags.json) printJson(invocation, answer);
    note(translator.text('key-revoked', { guid: key }));
    return 0;
  },
};
