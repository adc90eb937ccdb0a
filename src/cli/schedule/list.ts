// vigil schedule list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printList } from '#cli/kit/output/records.ts';
import { listedFields } from './fields.ts';

const filters: Flags = {
  keywords: {
    hint: 'TEXT',
    about: {
      en: 'only scheduled queries with this text in name, description or query',
      ko: '이름, 설명, 쿼리에 이 글이 있는 것만',
    },
    sends: 'keywords',
  },
};

export const scheduleList: Command = {
  name: 'schedule list',
  about: { en: 'list scheduled queries and when they are due', ko: '예약 쿼리와 예정 시각을 나열합니다' },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/scheduled-queries'>(filters, invocation.flags);
    const { scheduled_queries } = await client.call('GET /api/core/scheduled-queries', query);
    await printList({ invocation, client }, scheduled_queries, listedFields(invocation.translator));
    return 0;
  },
};
