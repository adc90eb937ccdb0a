// Texts of `vigil serve --demo`.

import type { Messages } from './message.ts';

export const demo = {
  'demo-database-in-use': {
    en: 'a demo needs an empty database, and this one is in use: name another, or leave --demo out',
    ko: '데모는 빈 데이터베이스에 만듭니다. 이 데이터베이스는 이미 쓰이고 있습니다. 다른 것을 지정하거나 --demo를 빼십시오',
  },
  'demo-folder-in-use': {
    en: 'a demo needs an empty data folder, and {data} holds other files: name another with --data, or leave --demo out',
    ko: '데모는 빈 데이터 폴더에 만듭니다. {data}에는 다른 것이 있습니다. --data로 다른 폴더를 지정하거나 --demo를 빼십시오',
  },
  'demo-unfinished': {
    en: 'the demo in {data} was interrupted while it was created: remove the folder, or name another with --data',
    ko: '{data}의 데모는 만드는 중에 중단되었습니다. 폴더를 지우거나 --data로 다른 폴더를 지정하십시오',
  },
  'demo-accounts': {
    en: 'The keys of its accounts, shown only this once:',
    ko: '데모 계정의 키이며 이번 한 번만 표시됩니다:',
  },
  'demo-fed-no-more': {
    en: 'the demo sends no more logs to one of its loggers: {reason}',
    ko: '데모가 로거 하나에 더는 로그를 보내지 않습니다: {reason}',
  },
  'demo-goes-on': {
    en: 'The demo continues, and more logs arrive. The keys of its accounts were shown when it was created.',
    ko: '데모를 계속합니다. 로그가 계속 들어옵니다. 계정의 키는 데모를 만들 때 표시되었습니다.',
  },
  'demo-made': {
    en: 'This is a demo: a day of a shop, its firewall and its servers, with attacks that the rules have detected. More logs arrive while it runs.',
    ko: '데모입니다. 쇼핑몰과 방화벽, 서버의 하루치 로그와 룰이 찾아낸 공격이 들어 있고, 실행하는 동안 로그가 계속 들어옵니다.',
  },
  'demo-making': { en: 'Creating the demo: {step}', ko: '데모를 만드는 중: {step}' },
  'demo-making-logs': { en: 'a day of logs', ko: '하루치 로그' },
  'demo-making-objects': { en: 'accounts, tables, loggers and other objects', ko: '계정, 테이블, 로거 등' },
  'demo-making-rules': { en: 'rules, schedules and their results', ko: '룰과 예약, 그 결과' },
  'demo-try': { en: 'Three things to try, in another terminal:', ko: '다른 터미널에서 해 볼 만한 것 세 가지:' },
} as const satisfies Messages;
