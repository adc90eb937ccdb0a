// vigil table create

import { clientFlags, connect, paramsOf } from './client.ts';
import type { Command, Flags } from './command.ts';
import { jsonFlag, printJson } from './records.ts';
import { referenceFlags, storageFlags } from './table-fields.ts';

const fields: Flags = { ...storageFlags, ...referenceFlags };

export const tableCreate: Command = {
  name: 'table create',
  takes: 'TABLE',
  about: { en: 'create a table', ko: '테이블을 만듭니다' },
  flags: { ...fields, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, speech, note } = invocation;
    const [table = ''] = words;
    const answer = await connect(invocation).send('POST', '/tables', { table, ...paramsOf(fields, flags) });
    if (flags.json) printJson(invocation, answer);
    note(speech.say('table-created', { table }));
    return 0;
  },
};
