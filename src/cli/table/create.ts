// vigil table create

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { expectationFlags, referenceFlags, storageFlags } from './fields.ts';

const fields: Flags = { ...storageFlags, ...referenceFlags, ...expectationFlags };

export const tableCreate: Command = {
  name: 'table create',
  takes: 'TABLE',
  about: { en: 'create a table', ko: '테이블을 만듭니다' },
  flags: { ...fields, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [table = ''] = words;
    const answer = await connect(invocation).call('POST /api/core/tables', {
      ...paramsOf<'POST /api/core/tables'>(fields, flags),
      table,
    });
    if (flags.json) printJson(invocation, answer);
    note(translator.text('table-created', { table }));
    return 0;
  },
};
