// The settings of stored logs: when records are sealed, and where encrypted tables are decrypted.

import { resolve } from 'node:path';
import { number, setting } from '#settings/setting.ts';

export const storageSettings = {
  'segment-rows': setting({
    hint: 'COUNT',
    about: {
      en: 'fresh records of a table before they are sealed into a segment',
      ko: '세그먼트로 봉인하기 전 테이블의 새 레코드 수',
    },
    initial: '100000',
    read: number(1, 10_000_000),
  }),
  'seal-after': setting({
    hint: 'SECONDS',
    about: {
      en: 'time after which fresh records are sealed, however few',
      ko: '적은 수라도 레코드를 봉인하기까지의 시간',
    },
    initial: '300',
    read: number(1, 86_400),
  }),
  'maintenance-period': setting({
    hint: 'SECONDS',
    about: {
      en: 'time between rounds of sealing, compaction and retention',
      ko: '봉인, 병합, 보존 기간을 점검하는 주기',
    },
    initial: '10',
    read: number(1, 3600),
  }),
  'dense-after': setting({
    hint: 'DAYS',
    about: {
      en: 'days after which days that are no longer written to are rewritten with the dense codec; 0 for never',
      ko: '더 이상 기록되지 않는 날짜를 고밀도 코덱으로 다시 쓰기까지의 일수, 0은 안 함',
    },
    initial: '30',
    read: number(0, 36_500),
  }),
  'rewrite-after': setting({
    hint: 'DAYS',
    about: {
      en: 'days after the first start of a version that stores records in another form, before earlier days are rewritten; 0 for never',
      ko: '레코드를 다른 형식으로 저장하는 버전의 첫 시작 후, 이전 날짜를 다시 쓰기까지의 일수, 0은 안 함',
    },
    initial: '7',
    read: number(0, 36_500),
  }),
  'memory-folder': setting({
    hint: 'FOLDER',
    about: {
      en: 'folder in memory (tmpfs) that holds decrypted data of encrypted tables, in unnamed files',
      ko: '암호화 테이블을 평문으로 읽고 쓰는 메모리 폴더(tmpfs), 파일에는 이름이 없음',
    },
    initial: '/dev/shm',
    read: (text) => resolve(text),
  }),
  'memory-cache': setting({
    hint: 'BYTES',
    about: {
      en: 'maximum size of decrypted segments in the memory folder; the data that a query reads at once must fit',
      ko: '메모리 폴더에 두는 복호화된 세그먼트의 최대 크기, 한 쿼리가 읽는 양이 들어가야 함',
    },
    initial: String(4 * 1024 * 1024 * 1024),
    read: number(1024, Number.MAX_SAFE_INTEGER),
  }),
} as const;
