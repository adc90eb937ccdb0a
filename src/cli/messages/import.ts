// Texts of `vigil import`.

import type { Messages } from './message.ts';

export const importing = {
  'import-broken-off': {
    en: 'the connection to {url} keeps failing ({reason}): run the same command again to resume the upload',
    ko: '{url} 연결이 계속 끊깁니다({reason}): 같은 명령을 다시 실행하면 업로드를 이어서 합니다',
  },
  'import-shrunk': {
    en: '{path} became shorter during the upload: run the same command again to start over',
    ko: '업로드하는 동안 파일이 짧아졌습니다: {path}: 같은 명령을 다시 실행하면 처음부터 시작합니다',
  },
  'import-stdin-twice': {
    en: 'standard input can be read only once: `-` is given twice',
    ko: '표준 입력은 한 번만 읽을 수 있습니다: `-`가 두 번 있습니다',
  },
  'import-begun-anew': {
    en: '{file}: the table {table} was dropped after the upload had begun: sending the file from the start',
    ko: '{file}: 업로드를 시작한 뒤 {table} 테이블이 삭제되어 처음부터 다시 전송합니다',
  },
  'import-failed': { en: '{file} was not imported: {reason}', ko: '{file} 파일을 가져오지 못했습니다: {reason}' },
  'import-importing': { en: '{file}: {size} sent, importing', ko: '{file}: {size} 전송 완료, 가져오는 중' },
  'import-progress': {
    en: '{file} {bar} {percent} %  {sent} of {size}  {rate}/s  {left} left',
    ko: '{file} {bar} {percent}%  {size} 중 {sent}  초당 {rate}  남은 시간 {left}',
  },
  'import-rejected': { en: '{file}:{line}: {reason}', ko: '{file}:{line}: {reason}' },
  'import-rejected-more': {
    en: '{file}: {count} more lines were rejected; --json lists up to 1,000',
    ko: '{file}: 거부된 줄이 {count}개 더 있습니다. --json은 1,000개까지 보여 줍니다',
  },
  'import-resumed': {
    en: '{file}: resuming after {sent} of {size}',
    ko: '{file}: {size} 중 {sent} 다음부터 이어서 전송합니다',
  },
  cancelled: { en: 'cancelled', ko: '취소함' },
} as const satisfies Messages;
