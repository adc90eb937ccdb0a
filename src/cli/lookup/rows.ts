// vigil lookup rows

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';
import { findLookup } from './lookup.ts';

const filters: Flags = {
  offset: { hint: 'COUNT', about: { en: 'rows before the first one', ko: '건너뛸 행 수' }, sends: 'offset' },
  limit: {
    hint: 'COUNT',
    about: { en: 'largest number of rows; 1000 by default', ko: '최대 행 수, 기본값 1000' },
    sends: 'limit',
  },
  keywords: {
    hint: 'TEXT',
    about: { en: 'only rows with this text in a value', ko: '값에 이 글이 있는 행만' },
    sends: 'keywords',
  },
};

export const lookupRows: Command = {
  name: 'lookup rows',
  takes: 'NAME-or-GUID',
  about: {
    en: 'print the rows of a stored lookup as CSV, in the order of its key',
    ko: '저장된 룩업의 행을 키 순서대로 CSV로 출력합니다',
  },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, print } = invocation;
    const [named = ''] = words;
    const client = connect(invocation);
    const { guid } = await findLookup(client, named);
    const params = { ...paramsOf<'GET /api/core/lookups/:guid/rows'>(filters, flags), guid };
    if (flags.json) {
      const answer = await client.ask('GET /api/core/lookups/:guid/rows', params);
      printJson(invocation, (await client.readExactly<AnswerFor<'GET /api/core/lookups/:guid/rows'>>(answer)).rows);
      return 0;
    }
    const answer = await client.ask('GET /api/core/lookups/:guid/rows', { ...params, format: 'csv' });
    print((await answer.text()).trimEnd().replaceAll('\r\n', '\n'));
    return 0;
  },
};
