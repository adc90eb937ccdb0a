// Texts of `vigil verify-engine`.

import type { Messages } from './message.ts';

export const verifyEngine = {
  'verify-engine-bad-minutes': {
    en: '--minutes must be a number above 0 and up to 1440, not `{text}`',
    ko: '--minutes 값은 0보다 크고 1440 이하인 수여야 합니다: `{text}`',
  },
  'verify-engine-no-database': {
    en: 'there is no database {database} on the server, or the user of the URL may not see it',
    ko: '서버에 데이터베이스 {database} 없음, 또는 URL의 사용자가 볼 수 없음',
  },
  'verify-engine-no-records': {
    en: 'the tables in the database {database} have no records to verify by',
    ko: '데이터베이스 {database}의 테이블에 확인에 쓸 레코드가 없습니다',
  },
  'verify-engine-no-table': {
    en: 'there is no table {table} in the database {database} that the user of the URL may read',
    ko: '데이터베이스 {database}에 URL의 사용자가 읽을 수 있는 테이블이 없습니다: {table}',
  },
  'verify-engine-no-tables': {
    en: 'there are no tables of Vigil in the database {database} that the user of the URL may read; tables of an earlier version get their names when a service of this version starts',
    ko: '데이터베이스 {database}에 URL의 사용자가 읽을 수 있는 Vigil 테이블이 없습니다. 이전 버전의 테이블은 이 버전의 서비스가 시작할 때 이름을 얻습니다',
  },
  'verify-engine-refused': { en: 'the server refuses to answer: {reason}', ko: '서버가 답하지 않습니다: {reason}' },
  'verify-engine-refuses-user': {
    en: 'the server refuses the user of the URL: check user and password',
    ko: '서버가 URL의 사용자를 거부했습니다: 사용자와 비밀번호를 확인하십시오',
  },
  'verify-engine-settings-closed': {
    en: 'the user of the URL has readonly = 1, which forbids limits for statements: use a user with readonly = 2, or with SELECT alone',
    ko: 'URL의 사용자는 readonly = 1이라 문장의 한도를 정할 수 없습니다: readonly = 2 사용자나 SELECT 권한만 있는 사용자를 쓰십시오',
  },
  'verify-engine-unreachable': {
    en: 'the server {host} does not answer: {reason}',
    ko: '서버 {host} 응답 없음: {reason}',
  },
  'verify-engine-running': {
    en: '{pipelines} pipelines, {rows} rows compared, {disagreements} disagreements; {left} left',
    ko: '파이프라인 {pipelines}개, 비교한 행 {rows}개, 불일치 {disagreements}개, 남은 시간 {left}',
  },
  'verify-engine-equal': { en: 'All answers are equal.', ko: '모든 답이 같습니다.' },
  'verify-engine-different': {
    en: '{count} of {pipelines} answers differ.',
    ko: '답 {pipelines}개 중 {count}개가 다릅니다.',
  },
  'verify-engine-incomplete': {
    en: 'All answers that were given are equal, but a limit of memory or time has ended {count} pipelines.',
    ko: '받은 답은 모두 같지만, 메모리나 시간 한도 때문에 파이프라인 {count}개가 끝나지 못했습니다.',
  },
  'verify-engine-server': { en: 'server', ko: '서버' },
  'verify-engine-vigil': { en: 'Vigil', ko: 'Vigil' },
  'verify-engine-database': { en: 'database', ko: '데이터베이스' },
  'verify-engine-tables': { en: 'tables', ko: '테이블' },
  'verify-engine-left-out': { en: 'left out, without names', ko: '이름이 없어 제외' },
  'verify-engine-samples': { en: 'samples', ko: '표본' },
  'verify-engine-sample-counts': {
    en: '{samples} of {records} records, {changed} taken anew because they had changed',
    ko: '{samples}개, 레코드 {records}개, 바뀌어서 다시 뽑은 표본 {changed}개',
  },
  'verify-engine-pipelines': { en: 'pipelines', ko: '파이프라인' },
  'verify-engine-rows': { en: 'rows compared', ko: '비교한 행' },
  'verify-engine-filtered': { en: 'filtered by ClickHouse (level 1)', ko: 'ClickHouse가 거른 파이프라인 (1단계)' },
  'verify-engine-condensed': { en: 'grouped by ClickHouse (level 2)', ko: 'ClickHouse가 묶은 파이프라인 (2단계)' },
  'verify-engine-refused-alike': { en: 'refused by both alike', ko: '양쪽이 똑같이 거부' },
  'verify-engine-unanswered': { en: 'ended by a limit', ko: '한도로 끝남' },
  'verify-engine-seed': { en: 'seed', ko: '시드' },
  'verify-engine-disagreement': {
    en: 'Disagreement {number}, in the zone {zone}:',
    ko: '불일치 {number}, 시간대 {zone}:',
  },
  'verify-engine-unanswered-pipeline': {
    en: 'Not answered {number}, time zone {zone}, {side}:',
    ko: '답 없음 {number}, 시간대 {zone}, {side}:',
  },
  'verify-engine-node': { en: 'the node alone', ko: '노드 단독' },
  'verify-engine-clickhouse': { en: 'with ClickHouse', ko: 'ClickHouse와 함께' },
  'verify-engine-answer-rows': { en: '{side}, {count} rows:', ko: '{side}, 행 {count}개:' },
  'verify-engine-answer-error': { en: '{side}, an error:', ko: '{side}, 오류:' },
  'verify-engine-statements': { en: 'statements on ClickHouse:', ko: 'ClickHouse에서 실행한 문장:' },
  'verify-engine-unshown': { en: '{count} more rows', ko: '행 {count}개 더 있음' },
} as const satisfies Messages;
