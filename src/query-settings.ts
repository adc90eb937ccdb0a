// The settings of queries.

import { resolve } from 'node:path';
import { number, setting } from './setting.ts';

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
  geoip: setting({
    hint: 'FILE',
    about: {
      en: 'CSV of networks for `lookup geoip`, its first line of the columns network, country, region, city, latitude, longitude, asn; read at the start',
      ko: '`lookup geoip`에 쓰는 네트워크 CSV 파일, 첫 줄은 network, country, region, city, latitude, longitude, asn 컬럼, 시작할 때 읽음',
    },
    initial: undefined,
    read: (text) => resolve(text),
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
