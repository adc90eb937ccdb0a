// Texts of `vigil schedule`.

import type { Messages } from './message.ts';

export const schedule = {
  'no-such-schedule': { en: 'there is no scheduled query `{schedule}`', ko: '예약 쿼리가 없습니다: `{schedule}`' },
  'schedule-count-wrong': {
    en: '--count must be a whole number from 1 to 1000, not `{text}`',
    ko: '--count는 1부터 1000까지의 정수여야 합니다: `{text}`',
  },
  'schedule-zone-differs': {
    en: 'in the time zone {zone} the next run would be at {computed}, but the service says {actual}: check that --time-zone names the zone of the service',
    ko: '{zone} 시간대로 계산한 다음 실행 시각은 {computed}, 서비스가 알려 준 시각은 {actual}입니다. --time-zone이 서비스의 시간대인지 확인하십시오',
  },
  'schedule-after': { en: 'after {name} ({action})', ko: '{name} 다음에 ({action})' },
  'schedule-created': {
    en: 'The scheduled query {name} is created, disabled. Enable it with an update, or create it with --enabled.',
    ko: '{name} 예약 쿼리를 만들었습니다. 사용하려면 수정하여 켜거나 --enabled로 만드십시오.',
  },
  'schedule-created-enabled': {
    en: 'The scheduled query {name} is created. Its next run is at {next}.',
    ko: '{name} 예약 쿼리를 만들었습니다. 다음 실행 시각은 {next}입니다.',
  },
  'schedule-created-follower': {
    en: 'The scheduled query {name} is created. It runs after {preceding}.',
    ko: '{name} 예약 쿼리를 만들었습니다. {preceding} 다음에 실행됩니다.',
  },
  'schedule-disabled': {
    en: '{name} is disabled: no run is due.',
    ko: '{name} 예약 쿼리는 사용하지 않도록 설정되어 예정된 실행이 없습니다.',
  },
  'schedule-follows': {
    en: '{name} runs whenever {preceding} has {action}.',
    ko: '{name} 예약 쿼리는 {preceding} 쿼리가 {action} 때마다 실행됩니다.',
  },
  'schedule-never-due': {
    en: '{name} is enabled, but no future time matches its schedule {cron}.',
    ko: '{name} 예약 쿼리는 사용 중이지만 일정 {cron}에 해당하는 시각이 오지 않습니다.',
  },
  'schedule-offset-only': {
    en: 'Times have the UTC offset of the next run; with --time-zone they follow clock changes.',
    ko: '다음 실행 시각의 UTC 오프셋으로 표시합니다. --time-zone을 주면 시계 변경도 반영합니다.',
  },
  'schedule-removed': { en: 'Removed: {count}.', ko: '{count}개를 지웠습니다.' },
  'schedule-removed-part': {
    en: 'Removed: {count}. Not removed, because they are running: {left}; --force stops them first.',
    ko: '{count}개를 지웠습니다. 실행 중이라 남겨 둔 것: {left}개. --force를 주면 중지한 뒤 지웁니다.',
  },
  'schedule-started': { en: 'Started: {count}.', ko: '{count}개를 시작했습니다.' },
  'schedule-stopped': { en: 'Stopped: {count}.', ko: '{count}개를 중지했습니다.' },
  'schedule-stopped-part': {
    en: 'Stopped: {count}. Not running: {left}.',
    ko: '{count}개를 중지했습니다. 실행 중이 아니던 것: {left}개.',
  },
  'schedule-ended-failed': { en: 'failed', ko: '실패할' },
  'schedule-ended-finished': { en: 'ended', ko: '끝날' },
  'schedule-ended-succeeded': { en: 'succeeded', ko: '성공할' },
  'schedule-slots-part': {
    en: '{shown} of {total} slots; --limit and --offset show the others.',
    ko: '전체 {total}개 중 {shown}개입니다. 나머지는 --limit과 --offset으로 볼 수 있습니다.',
  },
  'field-cron': { en: 'SCHEDULE', ko: '일정' },
  'field-description': { en: 'DESCRIPTION', ko: '설명' },
  'field-elapsed': { en: 'ELAPSED', ko: '소요 시간' },
  'field-enabled': { en: 'ENABLED', ko: '사용' },
  'field-error': { en: 'ERROR', ko: '오류' },
  'field-last-failure': { en: 'LAST FAILURE', ko: '마지막 실패' },
  'field-last-failure-reason': { en: 'FAILURE REASON', ko: '실패 이유' },
  'field-last-run': { en: 'LAST RUN', ko: '마지막 실행' },
  'field-next-run': { en: 'NEXT RUN', ko: '다음 실행' },
  'field-node-types': { en: 'NODE TYPES', ko: '노드 종류' },
  'field-outcome': { en: 'OUTCOME', ko: '처리' },
  'field-output-parameter': { en: 'PASSES ON LAST ROW', ko: '마지막 행 전달' },
  'field-owner': { en: 'OWNER', ko: '소유자' },
  'field-query': { en: 'QUERY', ko: '쿼리' },
  'field-query-error': { en: 'QUERY ERROR', ko: '쿼리 오류' },
  'field-query-id': { en: 'QUERY ID', ko: '쿼리 번호' },
  'field-reason': { en: 'REASON', ko: '이유' },
  'field-rows': { en: 'ROWS', ko: '행 수' },
  'field-running-state': { en: 'STATE', ko: '상태' },
  'field-slot-time': { en: 'DUE', ko: '예정 시각' },
  'field-started': { en: 'STARTED', ko: '시작' },
  'field-state': { en: 'RESULT', ko: '결과' },
} as const satisfies Messages;
