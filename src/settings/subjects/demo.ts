// The setting of the demo.

import { setting, yesNo } from '#settings/setting.ts';

export const demoSetting = {
  demo: setting({
    about: {
      en: 'creates an example in an empty data folder, and sends it logs while the service runs',
      ko: '빈 데이터 폴더에 예제를 만들고, 서비스가 실행되는 동안 로그를 계속 보냄',
    },
    initial: 'false',
    read: yesNo,
  }),
} as const;
