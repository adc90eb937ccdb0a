// 시작할 때, 그리고 멈춘 서비스의 폴더에서 일하는 명령이 서로 맞지 않는 것을 발견했을 때 하는 말.

import type { startEn } from './start.en.ts';

export const startKo: Readonly<Record<keyof typeof startEn, string>> = {
  'audit-key-foreign': '감사 키가 이 설치의 것이 아닙니다: {fingerprint}',
  'audit-nothing-lost': '감사 키도 증인 파일도 잃어버리지 않았습니다: 아무것도 갱신하지 않았습니다',
  'audit-renewed': '감사 기록은 이제 키 {fingerprint}(으)로 이어집니다. 기록 {id}번에 남겼습니다.',
  'data-folder-in-use': '데이터 폴더 {folder}을(를) 다른 Vigil 프로세스가 쓰고 있습니다',
  'database-newer':
    '데이터베이스는 마이그레이션 {newest}까지 진행되었고 이 버전은 {known}까지만 압니다: 더 새로운 버전을 실행하십시오',
  'keys-folder-open': '키 폴더가 다른 사용자에게 열려 있습니다: chmod -R {who}= {folder}',
  'logs-kept-elsewhere':
    '다른 서비스가 이 데이터베이스의 로그를 보관하고 있습니다: {host}, 데이터 폴더 {path}, 마지막 확인 {time}; 그곳에서 시작하거나 다른 데이터베이스를 쓰십시오',
  'logs-lost':
    '이제 다른 프로세스가 이 데이터베이스의 로그를 보관합니다: 이 프로세스는 끝나며, 그 뒤로 아무것도 기록하지 않았습니다',
  'logs-not-here':
    '데이터베이스에 있는 레코드가 데이터 폴더 {folder}에 없습니다: 레코드가 있는 폴더로 서비스를 시작하십시오',
  'master-key-ignored':
    'VIGIL_MASTER_KEY는 첫 시작에서만 읽으며, 이 값은 계정 master의 키가 아닙니다: vigil key reset-master로 새 키를 정하십시오',
  'master-secret-foreign': '마스터 시크릿이 이 설치의 것이 아닙니다: {fingerprint}',
};
