// vigil table list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printList } from '#cli/kit/output/records.ts';
import { listedFields, referenceFlags } from './fields.ts';

const filters: Flags = {
  keywords: {
    hint: 'TEXT',
    about: { en: 'only tables with this text in the name', ko: '이름에 이 글이 있는 테이블만' },
    sends: 'keywords',
  },
  ...referenceFlags,
};

export const tableList: Command = {
  name: 'table list',
  about: { en: 'list the tables that the key may see', ko: '키로 볼 수 있는 테이블을 나열합니다' },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/tables'>(filters, invocation.flags);
    const { tables } = await client.call('GET /api/core/tables', query);
    await printList({ invocation, client }, tables, listedFields(invocation.translator));
    return 0;
  },
};
