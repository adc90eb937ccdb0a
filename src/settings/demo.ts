// The setting that makes a demo.

import { setting, yesNo } from './setting.ts';

export const demoSetting = {
  demo: setting({
    about: {
      en: 'makes a small world to look at in an empty data folder, and lets more logs arrive in it',
      ko: '빈 데이터 폴더에 둘러볼 작은 예제를 만들고, 로그가 계속 들어오게 함',
    },
    initial: 'false',
    read: yesNo,
  }),
} as const;
