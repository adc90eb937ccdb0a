// vigil table stat

import { clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { jsonFlag, printRecord } from '#cli/kit/output/records.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { allFields } from './fields.ts';

export const tableStat: Command = {
  name: 'table stat',
  takes: 'TABLE',
  about: { en: 'show one table and its size', ko: '테이블 하나와 그 저장 내용을 보여 줍니다' },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const [name = ''] = invocation.words;
    const client = connect(invocation);
    const { table } = await client.call('GET /api/core/tables/:table', { table: name });
    if (!table) throw new UsageError('no-such-table', { table: name });
    await printRecord({ invocation, client }, table, allFields(invocation.translator));
    return 0;
  },
};
