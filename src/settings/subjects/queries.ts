// The settings of queries: slots, memory, disk, time, and how long results and statuses are kept.

import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { folders, number, setting } from '#settings/setting.ts';

const GIB = 1024 ** 3;
const bytes = number(1, Number.MAX_SAFE_INTEGER);

export const querySettings = {
  'export-folder': setting({
    hint: 'FOLDER',
    about: {
      en: 'folder that queries write files to; by default `exports` in the data folder',
      ko: '쿼리가 파일을 쓰는 폴더, 기본값은 데이터 폴더의 `exports`',
    },
    initial: undefined,
    read: (text) => resolve(text),
  }),
  'import-folders': setting({
    hint: 'FOLDERS',
    about: {
      en: 'folders, comma-separated, whose files queries of administrators may read; none by default',
      ko: '관리자의 쿼리가 파일을 읽을 수 있는 폴더(쉼표로 구분), 기본값은 없음',
    },
    initial: '',
    read: folders,
  }),
  geoip: setting({
    hint: 'FILE',
    about: {
      en: 'CSV of networks for `lookup geoip`, its first line naming the columns network, country, region, city, latitude, longitude, asn; read at the start',
      ko: '`lookup geoip`에 쓰는 네트워크 CSV 파일, 첫 줄은 network, country, region, city, latitude, longitude, asn 컬럼, 시작할 때 읽음',
    },
    initial: undefined,
    read: (text) => resolve(text),
  }),
  'lookup-rows': setting({
    hint: 'COUNT',
    about: {
      en: 'most rows of a stored lookup; a load of more is refused',
      ko: '저장된 룩업의 최대 행 수, 넘게 적재하면 거부함',
    },
    initial: '1000000',
    read: number(1, 10_000_000),
  }),
  'queries-per-account': setting({
    hint: 'COUNT',
    about: {
      en: 'queries of one account that may run at once; others wait',
      ko: '한 계정이 동시에 실행할 수 있는 쿼리 수, 나머지는 대기함',
    },
    initial: '16',
    read: number(1, 10_000),
  }),
  'queries-in-all': setting({
    hint: 'COUNT',
    about: { en: 'queries that may run at once; others wait', ko: '동시에 실행할 수 있는 쿼리 수, 나머지는 대기함' },
    initial: '64',
    read: number(1, 10_000),
  }),
  'queries-waiting-per-account': setting({
    hint: 'COUNT',
    about: {
      en: 'queries of one account that may wait; further ones are refused with 429',
      ko: '한 계정에서 대기할 수 있는 쿼리 수, 넘으면 429로 거부함',
    },
    initial: '256',
    read: number(0, 100_000),
  }),
  'queries-waiting-in-all': setting({
    hint: 'COUNT',
    about: {
      en: 'queries that may wait; further ones are refused with 429',
      ko: '대기할 수 있는 전체 쿼리 수, 넘으면 429로 거부함',
    },
    initial: '1024',
    read: number(0, 100_000),
  }),
  'query-time': setting({
    hint: 'SECONDS',
    about: { en: 'how long a query may run', ko: '쿼리 하나를 실행할 수 있는 시간' },
    initial: '86400',
    read: number(1, 2_000_000),
  }),
  'query-memory': setting({
    hint: 'BYTES',
    about: {
      en: 'memory of all running queries and fresh records together; by default a quarter of the machine’s',
      ko: '실행 중인 모든 쿼리와 새 레코드가 쓰는 메모리, 기본값은 장비 메모리의 4분의 1',
    },
    initial: undefined,
    read: bytes,
  }),
  'query-memory-per-account': setting({
    hint: 'BYTES',
    about: {
      en: 'memory of the isolated queries of one account, which ran out of shared memory; by default a sixteenth of the machine’s',
      ko: '메모리가 모자라 격리해 실행하는 한 계정의 쿼리가 쓰는 메모리, 기본값은 장비 메모리의 16분의 1',
    },
    initial: undefined,
    read: bytes,
  }),
  'query-disk': setting({
    hint: 'BYTES',
    about: {
      en: 'disk space that running queries may spill to',
      ko: '실행 중인 쿼리가 메모리에 담지 못한 데이터를 두는 디스크 크기',
    },
    initial: String(64 * GIB),
    read: bytes,
  }),
  'query-disk-per-account': setting({
    hint: 'BYTES',
    about: {
      en: 'disk space that the isolated queries of one account may spill to',
      ko: '격리해 실행하는 한 계정의 쿼리가 메모리에 담지 못한 데이터를 두는 디스크 크기',
    },
    initial: String(16 * GIB),
    read: bytes,
  }),
  'rule-steps': setting({
    hint: 'COUNT',
    about: {
      en: 'evaluation steps of one rule for one record, ten times as many for all rules of a record, and of the local chain of a query for one row',
      ko: '룰 하나가 레코드 하나에 쓸 수 있는 단계 수, 레코드의 모든 룰에는 그 10배, 쿼리 중 호스트가 처리하는 한 행에도 적용',
    },
    initial: '100000',
    read: number(100, 1_000_000_000),
  }),
  'list-elements': setting({
    hint: 'COUNT',
    about: {
      en: 'elements of all lists of one row together, nested ones multiplied',
      ko: '한 행의 목록이 함께 만들 수 있는 요소 수, 중첩되면 곱함',
    },
    initial: '1000000',
    read: number(1000, 1_000_000_000),
  }),
  'query-result': setting({
    hint: 'BYTES',
    about: { en: 'bytes of the rows of one cursor', ko: '커서 하나의 행 크기' },
    initial: String(8 * GIB),
    read: bytes,
  }),
  'query-results-per-account': setting({
    hint: 'BYTES',
    about: { en: 'bytes of the rows of all cursors of one account', ko: '한 계정의 모든 커서의 행 크기' },
    initial: String(32 * GIB),
    read: bytes,
  }),
  'query-results-in-all': setting({
    hint: 'BYTES',
    about: { en: 'bytes of the rows of all cursors', ko: '모든 커서의 행 크기' },
    initial: String(128 * GIB),
    read: bytes,
  }),
  'query-statuses-per-account': setting({
    hint: 'COUNT',
    about: {
      en: 'ended queries of one account that are kept; beyond it the oldest is removed with its rows',
      ko: '끝난 뒤 보관하는 한 계정의 쿼리 수, 넘으면 가장 오래된 것을 행과 함께 지움',
    },
    initial: '10000',
    read: number(1, 1_000_000),
  }),
  'query-statuses-in-all': setting({
    hint: 'COUNT',
    about: {
      en: 'ended queries that are kept; beyond it the oldest is removed with its rows',
      ko: '끝난 뒤 보관하는 전체 쿼리 수, 넘으면 가장 오래된 것을 행과 함께 지움',
    },
    initial: '50000',
    read: number(1, 1_000_000),
  }),
  'query-status-kept': setting({
    hint: 'SECONDS',
    about: { en: 'how long the status of a query is kept after its end', ko: '끝난 쿼리의 상태를 보관하는 시간' },
    initial: '3600',
    read: number(1, 31_536_000),
  }),
  'query-rows-kept': setting({
    hint: 'SECONDS',
    about: {
      en: 'how long the rows of a cursor are kept after they were last fetched',
      ko: '커서의 행을 마지막으로 가져간 뒤 보관하는 시간',
    },
    initial: '86400',
    read: number(1, 31_536_000),
  }),
} as const;

/** Depend on the memory of the machine, or of the control group of this process. */
export function memoryDefaults(): { readonly 'query-memory': number; readonly 'query-memory-per-account': number } {
  const machine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return { 'query-memory': Math.floor(machine / 4), 'query-memory-per-account': Math.floor(machine / 16) };
}
