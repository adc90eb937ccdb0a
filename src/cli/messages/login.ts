// Texts of `vigil login`.

import type { Messages } from './message.ts';

export const login = {
  'login-browser-only': {
    en: 'only a browser has a session: use --browser. The command line takes its key from VIGIL_KEY or --key-file',
    ko: '세션은 브라우저에만 있습니다: --browser를 쓰십시오. 명령줄은 VIGIL_KEY나 --key-file의 키를 씁니다',
  },
  'login-link': {
    en: 'The link signs in once, until {time}. It is as secret as a key.',
    ko: '링크는 {time}까지 한 번만 쓸 수 있습니다. 키처럼 비밀로 다루십시오.',
  },
} as const satisfies Messages;
