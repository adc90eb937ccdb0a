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
} as const satisfies Messages;
