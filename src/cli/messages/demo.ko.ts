// What is said about a demo, in Korean.

import type { demoEn } from './demo.en.ts';

export const demoKo: Readonly<Record<keyof typeof demoEn, string>> = {
  'demo-database-in-use':
    '데모는 빈 데이터베이스에 만듭니다. 이 데이터베이스는 이미 쓰이고 있습니다. 다른 것을 지정하거나 --demo를 빼십시오',
  'demo-folder-in-use':
    '데모는 빈 데이터 폴더에 만듭니다. {data}에는 다른 것이 있습니다. --data로 다른 폴더를 지정하거나 --demo를 빼십시오',
  'demo-unfinished': '{data}의 데모는 만드는 중에 중단되었습니다. 폴더를 지우거나 --data로 다른 폴더를 지정하십시오',
  'demo-accounts': '데모 계정의 키이며 이번 한 번만 표시됩니다:',
  'demo-fed-no-more': '데모가 로거 하나에 더는 로그를 보내지 않습니다: {reason}',
  'demo-goes-on': '데모를 계속합니다. 로그가 계속 들어옵니다. 계정의 키는 데모를 만들 때 표시되었습니다.',
  'demo-made':
    '데모입니다. 쇼핑몰과 방화벽, 서버의 하루치 로그와 룰이 찾아낸 공격이 들어 있고, 실행하는 동안 로그가 계속 들어옵니다.',
  'demo-making': '데모를 만드는 중: {step}',
  'demo-making-logs': '하루치 로그',
  'demo-making-objects': '계정, 테이블, 로거 등',
  'demo-making-rules': '룰과 예약, 그 결과',
  'demo-try': '다른 터미널에서 해 볼 만한 것 세 가지:',
};
