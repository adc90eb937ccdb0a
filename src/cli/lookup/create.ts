// vigil lookup create

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';

const fields: Flags = {
  key: { hint: 'COLUMN', about: { en: 'column whose values are unique', ko: '값이 유일한 컬럼' }, sends: 'key' },
  columns: {
    hint: 'NAMES',
    about: { en: 'names of all columns, separated by commas', ko: '쉼표로 구분한 모든 컬럼 이름' },
    sends: 'columns',
    isList: true,
  },
  description: { hint: 'TEXT', about: { en: 'description for people', ko: '설명' }, sends: 'description' },
  restricted: {
    about: { en: 'members read it with a grant alone', ko: '권한이 있는 구성원만 읽음' },
    sends: 'restricted',
  },
};

export const lookupCreate: Command = {
  name: 'lookup create',
  takes: 'NAME',
  about: { en: 'create a stored lookup without rows', ko: '행이 없는 룩업을 만듭니다' },
  flags: { ...fields, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [name = ''] = words;
    const answer = await connect(invocation).call('POST /api/core/lookups', {
      ...paramsOf<'POST /api/core/lookups'>(fields, flags),
      name,
    });
    if (flags.json) printJson(invocation, answer);
    note(translator.text('lookup-created', { name }));
    return 0;
  },
};
