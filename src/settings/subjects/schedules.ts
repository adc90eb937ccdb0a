// The settings of schedules, and of the alarms when schedules, rules and loggers fail.

import { CATCH_UPS } from '#scheduler/settings.ts';
import { number, oneOf, plain, setting } from '#settings/setting.ts';

export const scheduleSettings = {
  'scheduler-catch-up': setting({
    hint: 'none|latest|all',
    about: {
      en: 'missed slots of scheduled queries that are run afterwards: none, the newest of a query, or all up to 1,000; the time of missed slots of batch rules is always analysed',
      ko: '예약 쿼리의 놓친 예약 시각 중 나중에 실행할 것: 없음, 쿼리별 최신 하나, 또는 1,000개까지 모두. 배치 룰이 놓친 시간은 항상 분석함',
    },
    initial: 'latest',
    read: oneOf(CATCH_UPS),
  }),
  'scheduler-jitter': setting({
    hint: 'SECONDS',
    about: {
      en: 'seconds over which the starts of equal schedules are spread',
      ko: '같은 일정의 실행 시작을 분산하는 시간(초)',
    },
    initial: '0',
    read: number(0, 3600),
  }),
  'scheduler-concurrency': setting({
    hint: 'COUNT',
    about: {
      en: 'runs of scheduled queries at once; others wait',
      ko: '동시에 실행하는 예약 쿼리 수, 나머지는 대기함',
    },
    initial: '8',
    read: number(1, 1000),
  }),
  'scheduler-rule-concurrency': setting({
    hint: 'COUNT',
    about: {
      en: 'runs of batch rules at once, beside those of scheduled queries; others wait, and a later run covers their time',
      ko: '예약 쿼리와 별도로 동시에 실행하는 배치 룰 수, 나머지는 대기하며 다음 실행이 그 시간까지 분석함',
    },
    initial: '8',
    read: number(1, 1000),
  }),
  'scheduler-run-timeout': setting({
    hint: 'SECONDS',
    about: {
      en: 'time after which a scheduled run is cancelled',
      ko: '예약 실행을 중단하기까지의 최대 시간',
    },
    initial: '86400',
    read: number(1, 31_536_000),
  }),
  'scheduler-slots-kept': setting({
    hint: 'DAYS',
    about: { en: 'how long the ledger of slots is kept', ko: '예약 시각 기록을 보관하는 일수' },
    initial: '400',
    read: number(1, 36_500),
  }),
  'failure-alarm-group': setting({
    hint: 'GROUP',
    about: {
      en: 'alarm group, by name or GUID, that is notified when a rule, a scheduled query or a logger begins to fail and when it works again; none by default',
      ko: '룰, 예약 쿼리, 로거가 실패하기 시작할 때와 다시 동작할 때 알릴 알람 그룹(이름 또는 GUID), 기본값은 없음',
    },
    initial: '',
    read: plain,
  }),
} as const;
