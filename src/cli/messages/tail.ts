// Texts of `vigil tail`.

import type { Messages } from './message.ts';

export const tail = {
  'tail-computes': {
    en: '`{name}` computes over all rows: vigil tail prints records that arrive, and takes commands of single rows alone',
    ko: '`{name}` 명령은 모든 행을 모아 계산합니다: vigil tail은 도착하는 레코드를 출력하므로 행 하나씩 다루는 명령만 쓸 수 있습니다',
  },
  'tail-found': { en: 'The connection is back.', ko: '다시 연결되었습니다.' },
  'tail-gap': {
    en: 'The service has begun anew or the output was too slow: records may be missing here.',
    ko: '서비스가 다시 시작되었거나 출력이 너무 느렸습니다: 이 자리에 빠진 레코드가 있을 수 있습니다.',
  },
  'tail-lost': {
    en: 'The connection is lost and tried again: {reason}',
    ko: '연결이 끊겨 다시 시도합니다: {reason}',
  },
  'tail-not-a-table': {
    en: 'vigil tail follows the records of `table` or `fulltext`, not of `{name}`',
    ko: 'vigil tail은 `table`이나 `fulltext`의 레코드만 따라갑니다: `{name}`',
  },
  'tail-waiting': { en: 'Waiting for new records; Ctrl-C ends it.', ko: '새 레코드를 기다립니다. Ctrl-C로 끝냅니다.' },
} as const satisfies Messages;
