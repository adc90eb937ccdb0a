// Texts of `vigil user`.

import type { Messages } from './message.ts';

export const user = {
  'no-such-account': {
    en: 'there is no account `{account}` that this key may see',
    ko: '이 키로 볼 수 있는 `{account}` 계정이 없습니다',
  },
  'user-changed': { en: 'The account {account} is changed.', ko: '{account} 계정을 바꾸었습니다.' },
  'user-created': {
    en: 'The account {login} is created. Create its key with: vigil key create {login} --name NAME',
    ko: '{login} 계정을 만들었습니다. 키를 만들려면: vigil key create {login} --name NAME',
  },
  removed: { en: 'removed', ko: '지움' },
  'would-be-removed': { en: 'would be removed', ko: '지울 예정' },
} as const satisfies Messages;
