// The audit catalogue in Korean.

import type { Labels } from './en.ts';

export const ko: Labels = {
  results: { succeeded: '성공', failed: '실패' },
  categories: {
    'audit-logs': '감사 로그',
    auth: '인증',
    companies: '회사',
    service: '서비스',
    'user-groups': '사용자 그룹',
    users: '사용자',
  },
  actions: {
    'audit-logs.export': { label: '감사 로그 내보내기', message: '감사 로그 내보내기' },
    'audit-logs.proof': { label: '감사 로그 증명', message: '감사 로그 증명 조회' },
    'audit-logs.read': { label: '감사 로그 조회', message: '감사 로그 조회' },
    'auth.login': { label: '로그인', message: '{login} 로그인' },
    'auth.logout': { label: '로그아웃', message: '{login} 로그아웃' },
    'auth.refuse': { label: '접근 거부', message: '유효한 키가 없는 요청 {count}건' },
    'companies.create': { label: '회사 생성', message: '회사 {name} 생성' },
    'companies.read': { label: '회사 조회', message: '회사 조회' },
    'companies.remove': { label: '회사 삭제', message: '회사 {guids} 삭제' },
    'companies.update': { label: '회사 수정', message: '회사 {name} ({guid}) 수정' },
    'service.install': { label: '서비스 설치', message: '첫 시작, 계정 {login} 생성' },
    'user-groups.create': { label: '사용자 그룹 생성', message: '사용자 그룹 {name} 생성' },
    'user-groups.read': { label: '사용자 그룹 조회', message: '사용자 그룹 조회' },
    'user-groups.remove': { label: '사용자 그룹 삭제', message: '사용자 그룹 {guids} 삭제' },
    'user-groups.update': { label: '사용자 그룹 수정', message: '사용자 그룹 {name} ({guid}) 수정' },
    'users.create': { label: '사용자 생성', message: '사용자 {login} 생성' },
    'users.create-api-key': { label: 'API 키 생성', message: '사용자 {guid}의 API 키 {name} 생성' },
    'users.read': { label: '사용자 조회', message: '사용자 조회' },
    'users.remove': { label: '사용자 삭제', message: '사용자 {guids} 삭제' },
    'users.remove-api-key': { label: 'API 키 폐기', message: '사용자 {guid}의 API 키 {key_guid} 폐기' },
    'users.reset-master': { label: '마스터 키 재설정', message: '데이터 폴더에서 계정 {login}의 새 키 설정' },
    'users.update': { label: '사용자 수정', message: '사용자 {guid} 수정' },
  },
};
