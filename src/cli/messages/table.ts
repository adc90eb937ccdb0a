// Texts of `vigil table`.

import type { Messages } from './message.ts';

export const table = {
  'no-such-table': {
    en: 'there is no table `{table}` that this key may see',
    ko: '이 키로 볼 수 있는 `{table}` 테이블이 없습니다',
  },
  'table-in-use': {
    en: 'the table {table} was not dropped, because loggers write to it: {loggers}',
    ko: '{table} 테이블은 지우지 않았습니다. 이 테이블에 쓰는 로거가 있습니다: {loggers}',
  },
  'table-created': { en: 'The table {table} is created.', ko: '{table} 테이블을 만들었습니다.' },
  'table-dropped': { en: 'The table {table} is dropped.', ko: '{table} 테이블을 지웠습니다.' },
  'move-needs-choice': {
    en: 'vigil table move needs either --to or --cancel',
    ko: 'vigil table move에는 --to 또는 --cancel 중 하나가 필요합니다',
  },
  'move-begun': {
    en: 'The table {table} is being moved to {to}.',
    ko: '{table} 테이블을 옮기고 있습니다. 대상: {to}',
  },
  'move-progress': {
    en: '{done} days are done, {left} are left, {rows} records are moved.',
    ko: '{done}일 완료, {left}일 남음, 레코드 {rows}건 이동.',
  },
  'move-cancelled': {
    en: 'The move of the table {table} is cancelled; each day stays where it is.',
    ko: '{table} 테이블 이동을 취소했습니다. 옮긴 날짜는 그대로 둡니다.',
  },
  'move-finished': { en: 'The table {table} is moved to {to}.', ko: '{table} 테이블을 옮겼습니다. 대상: {to}' },
  'move-failed': {
    en: 'the table {table} was not moved as a whole: {reason}',
    ko: '{table} 테이블을 모두 옮기지 못했습니다: {reason}',
  },
} as const satisfies Messages;
