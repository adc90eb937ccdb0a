// vigil key list

import { guidOrOwn } from '#cli/kit/account.ts';
import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { type Field, jsonFlag, printList } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { AnswerFor } from '#client/call.ts';

type ApiKey = AnswerFor<'GET /api/core/users/:guid/api-keys'>['api_keys'][number];

export const keyList: Command = {
  name: 'key list',
  takes: '[LOGIN-or-GUID]',
  about: { en: 'list the keys of an account, by default your own', ko: '계정의 키를 나열합니다. 기본값은 자기 계정' },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const guid = await guidOrOwn(client, invocation.words[0]);
    const { api_keys } = await client.call('GET /api/core/users/:guid/api-keys', { guid });
    await printList({ invocation, client }, api_keys, fieldsOf(invocation.translator));
    return 0;
  },
};

const fieldsOf = ({ text }: Translator): readonly Field<ApiKey>[] => [
  { title: 'field-name', text: ({ name }) => name },
  { title: 'field-prefix', text: ({ prefix }) => prefix },
  { title: 'field-scope', text: ({ scope }) => scope },
  { title: 'field-created', isTime: true, text: ({ created }) => created },
  { title: 'field-expires-at', isTime: true, text: ({ expires_at }) => expires_at ?? text('never') },
  { title: 'field-last-used', isTime: true, text: ({ last_used }) => last_used ?? text('never') },
  { title: 'field-trust-hosts', text: ({ trust_hosts }) => trust_hosts.join(', ') || text('anywhere') },
  { title: 'field-guid', text: ({ guid }) => guid },
];
