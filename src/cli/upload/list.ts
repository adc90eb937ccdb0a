// vigil upload list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { sizeText } from '#cli/kit/output/numbers.ts';
import { type Field, jsonFlag, printList } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';

type Upload = AnswerFor<'GET /api/core/upload-streams'>['streams'][number];

const filters: Flags = {
  keywords: {
    hint: 'TEXT',
    about: {
      en: 'only uploads with this text in file name or login',
      ko: '파일 이름이나 로그인에 이 글이 있는 업로드만',
    },
    sends: 'keywords',
  },
};

const FIELDS: readonly Field<Upload>[] = [
  { title: 'field-file', text: ({ file_name }) => file_name },
  { title: 'field-target', text: ({ metadata }) => String(metadata.table ?? metadata.lookup) },
  { title: 'field-account', text: ({ login_name }) => login_name },
  { title: 'field-uploaded', isNumeric: true, text: ({ uploaded_size }) => sizeText(uploaded_size) },
  { title: 'field-size', isNumeric: true, text: ({ file_size }) => sizeText(file_size) },
  { title: 'field-created', isTime: true, text: ({ created }) => created },
  { title: 'field-expires', isTime: true, text: ({ expires_at }) => expires_at },
  { title: 'field-token', text: ({ token }) => token },
];

export const uploadList: Command = {
  name: 'upload list',
  about: { en: 'list the uploads in progress', ko: '진행 중인 업로드를 나열합니다' },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/upload-streams'>(filters, invocation.flags);
    const { streams } = await client.call('GET /api/core/upload-streams', query);
    await printList({ invocation, client }, streams, FIELDS);
    return 0;
  },
};
