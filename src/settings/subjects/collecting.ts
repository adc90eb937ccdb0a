// The settings of loggers that collect by themselves.

import { folders, number, setting } from '#settings/setting.ts';

export const collectSettings = {
  'collect-folders': setting({
    hint: 'FOLDERS',
    about: {
      en: 'folders, comma-separated, that loggers may read files from; none by default',
      ko: '로거가 파일을 읽을 수 있는 폴더(쉼표로 구분), 기본값은 없음',
    },
    initial: '',
    read: folders,
  }),
  'collect-queue': setting({
    hint: 'BYTES',
    about: {
      en: 'bytes that a syslog logger has received and not stored yet; beyond it TCP waits and UDP is dropped',
      ko: 'syslog 로거가 받아서 아직 저장하지 못한 메시지의 최대 크기, 넘으면 TCP는 기다리고 UDP는 버림',
    },
    initial: String(32 * 1024 * 1024),
    read: number(1024, 4 * 1024 * 1024 * 1024),
  }),
  'collect-connections': setting({
    hint: 'COUNT',
    about: {
      en: 'connections of a syslog logger; beyond it the one that is idle longest is closed, that of the same address where it has a tenth',
      ko: 'syslog 로거의 최대 연결 수, 넘으면 가장 오래 조용했던 연결을 닫음, 십분의 일을 가진 주소는 그 주소의 연결을 닫음',
    },
    initial: '4000',
    read: number(1, 60_000),
  }),
} as const;
