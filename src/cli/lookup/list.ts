// vigil lookup list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printList } from '#cli/kit/output/records.ts';
import { listedFields } from './lookup.ts';

const filters: Flags = {
  keywords: {
    hint: 'TEXT',
    about: { en: 'only lookups with this text in name or description', ko: '이름이나 설명에 이 글이 있는 룩업만' },
    sends: 'keywords',
  },
};

export const lookupList: Command = {
  name: 'lookup list',
  about: { en: 'list the stored lookups that the key may see', ko: '키로 볼 수 있는 저장된 룩업을 나열합니다' },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/lookups'>(filters, invocation.flags);
    const { lookups } = await client.call('GET /api/core/lookups', query);
    await printList({ invocation, client }, lookups, listedFields);
    return 0;
  },
};
