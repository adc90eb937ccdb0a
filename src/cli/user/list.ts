// vigil user list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { jsonFlag, printList } from '#cli/kit/output/records.ts';
import { listedFields } from './fields.ts';

const filters: Flags = {
  keywords: {
    hint: 'TEXT',
    about: {
      en: 'only accounts with this text in login, name, title, department or telephone',
      ko: '로그인, 이름, 직위, 부서, 전화번호에 이 글이 있는 계정만',
    },
    sends: 'keywords',
  },
};

export const userList: Command = {
  name: 'user list',
  about: { en: 'list the accounts that the key may see', ko: '키로 볼 수 있는 계정을 나열합니다' },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/users'>(filters, invocation.flags);
    const { users } = await client.call('GET /api/core/users', query);
    await printList({ invocation, client }, users, listedFields(invocation.translator));
    return 0;
  },
};
