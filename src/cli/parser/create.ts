// vigil parser create

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';

const fields: Flags = {
  name: {
    hint: 'TEXT',
    about: { en: 'name of the parser; its code by default', ko: '파서 이름, 기본값은 코드' },
    sends: 'name',
  },
  kind: {
    hint: 'KIND',
    about: { en: 'regex, csv, key-value, json, xml or query', ko: 'regex, csv, key-value, json, xml, query 중 하나' },
    sends: 'factory_name',
  },
  configs: { hint: 'JSON', about: { en: 'configuration, a map', ko: '설정(JSON 객체)' }, sends: 'configs' },
  description: { hint: 'TEXT', about: { en: 'description for people', ko: '설명' }, sends: 'description' },
  schema: { hint: 'CODE', about: { en: 'log schema', ko: '로그 스키마' }, sends: 'schema_code' },
};

export const parserCreate: Command = {
  name: 'parser create',
  takes: 'CODE',
  about: { en: 'create a stored parser', ko: '파서를 만듭니다' },
  flags: { ...fields, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [code = ''] = words;
    const answer = await connect(invocation).call('POST /api/core/parsers', {
      ...paramsOf<'POST /api/core/parsers'>(fields, flags),
      name: flags.name ?? code,
      code,
    });
    if (flags.json) printJson(invocation, answer);
    note(translator.text('parser-created', { code }));
    return 0;
  },
};
