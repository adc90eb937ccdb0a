// vigil parser list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { type Field, jsonFlag, printList } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { AnswerFor } from '#client/call.ts';

type Parser = AnswerFor<'GET /api/core/parsers'>['parsers'][number];

const filters: Flags = {
  keywords: {
    hint: 'TEXT',
    about: {
      en: 'only parsers with this text in code, name or description',
      ko: '코드, 이름, 설명에 이 글이 있는 파서만',
    },
    sends: 'keywords',
  },
};

const fields = ({ text }: Translator): readonly Field<Parser>[] => [
  { title: 'field-code', text: ({ code }) => code },
  { title: 'field-name', text: ({ name }) => name },
  { title: 'field-kind', text: ({ factory_name }) => factory_name },
  { title: 'field-builtin', text: ({ builtin }) => text(builtin ? 'yes' : 'no') },
  { title: 'field-schema', text: ({ schema_code = '' }) => schema_code },
];

export const parserList: Command = {
  name: 'parser list',
  about: { en: 'list the parsers, built-in and stored', ko: '내장 파서와 저장된 파서를 나열합니다' },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/parsers'>(filters, invocation.flags);
    const { parsers } = await client.call('GET /api/core/parsers', query);
    await printList({ invocation, client }, parsers, fields(invocation.translator));
    return 0;
  },
};
