// Texts of `vigil key`.

import type { Messages } from './message.ts';

export const key = {
  'database-not-installed': {
    en: 'no Vigil service has ever been started on this database: --database or VIGIL_DATABASE names another',
    ko: '이 데이터베이스에서 Vigil 서비스를 시작한 적이 없습니다: 다른 데이터베이스는 --database나 VIGIL_DATABASE로 지정하십시오',
  },
  'folder-not-installed': {
    en: 'no Vigil service has ever been started on the data folder {data}: --data or VIGIL_DATA names another',
    ko: '데이터 폴더 {data}에서 Vigil 서비스를 시작한 적이 없습니다: 다른 폴더는 --data나 VIGIL_DATA로 지정하십시오',
  },
  'no-master-account': {
    en: 'this database has no account `master`',
    ko: '이 데이터베이스에는 `master` 계정이 없습니다',
  },
  'key-created': {
    en: 'This is the only time the key is shown. To revoke it, name its GUID: {guid}',
    ko: '키는 지금 한 번만 보여 줍니다. 폐기할 때는 이 GUID를 쓰십시오: {guid}',
  },
  'key-is-last': {
    en: 'This is the last key of the last MASTER: without it nobody can administer the service until `vigil key reset-master` is run on its machine.',
    ko: '마지막 MASTER의 마지막 키입니다: 이 키가 없으면 서비스가 있는 장비에서 `vigil key reset-master`를 실행할 때까지 아무도 서비스를 관리할 수 없습니다.',
  },
  'key-revoked': { en: 'The key {guid} is revoked.', ko: '키를 폐기했습니다: {guid}' },
  'master-key-reset': {
    en: 'This is the only time the new key of `master` is shown. All older ones are revoked.',
    ko: '`master`의 새 키는 지금 한 번만 보여 줍니다. 이전 키는 모두 폐기되었습니다.',
  },
  'audit-nothing-lost': {
    en: 'neither the audit key nor the witness is missing: nothing was renewed',
    ko: '감사 키와 증인 파일이 모두 있습니다: 아무것도 갱신하지 않았습니다',
  },
  'audit-renewed': {
    en: 'The audit trail continues with the key {fingerprint}. Entry {id} records the renewal.',
    ko: '감사 기록은 이제 새 키로 이어집니다: {fingerprint}. 갱신은 기록 {id}번에 남겼습니다.',
  },
} as const satisfies Messages;
