// vigil key create: prints the key alone, so that `KEY=$(vigil key create ...)` holds it.

import { guidOrOwn, trustHostsFlag } from '#cli/kit/account.ts';
import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';

const fields: Flags = {
  name: { hint: 'NAME', about: { en: 'what the key is for', ko: '키의 용도' }, sends: 'name', isRequired: true },
  'expires-at': {
    hint: 'TIME',
    about: {
      en: 'time of its expiry, such as "2027-01-31 00:00:00+0900"',
      ko: '만료 시각, 예: "2027-01-31 00:00:00+0900"',
    },
    sends: 'expires_at',
  },
  ...trustHostsFlag,
  scope: {
    hint: 'SCOPE',
    about: {
      en: 'what the key may do: all (default), or push for a key that sends logs and does nothing else',
      ko: '키로 할 수 있는 일: all(기본값), 또는 로그 전송만 하는 push',
    },
    sends: 'scope',
  },
};

export const keyCreate: Command = {
  name: 'key create',
  takes: '[LOGIN-or-GUID]',
  about: { en: 'create a key for an account, by default your own', ko: '계정의 키를 만듭니다. 기본값은 자기 계정' },
  flags: { ...fields, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, print, note } = invocation;
    const client = connect(invocation);
    const guid = await guidOrOwn(client, words[0]);
    const params = paramsOf<'POST /api/core/users/:guid/api-keys'>(fields, flags);
    const answer = await client.call('POST /api/core/users/:guid/api-keys', { ...params, guid });
    if (flags.json) printJson(invocation, answer);
    else print(answer.api_key);
    note(translator.text('key-created', { guid: answer.guid }));
    return 0;
  },
};
