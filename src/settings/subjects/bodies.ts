// The settings of request bodies, connections, pushed logs and uploads: sizes, counts, rates and times.

import { number, setting } from '#settings/setting.ts';

export const bodySettings = {
  'body-limit': setting({
    hint: 'BYTES',
    about: { en: 'largest form or JSON body', ko: '폼 또는 JSON 본문의 최대 크기' },
    initial: String(16 * 1024 * 1024),
    read: number(1024, 1024 * 1024 * 1024),
  }),
  'body-values': setting({
    hint: 'COUNT',
    about: {
      en: 'values in a form or JSON body, because each costs far more memory and time than its bytes',
      ko: '폼 또는 JSON 본문의 최대 값 수, 값 하나는 바이트 크기보다 훨씬 많은 메모리와 시간을 씀',
    },
    initial: '250000',
    read: number(100, 100_000_000),
  }),
  'open-body-limit': setting({
    hint: 'BYTES',
    about: {
      en: 'largest body of an operation that needs no key, because any client may send it',
      ko: '키가 필요 없는 오퍼레이션 본문의 최대 크기, 누구나 보낼 수 있기 때문',
    },
    initial: '8192',
    read: number(1024, 16 * 1024 * 1024),
  }),
  'bodies-limit': setting({
    hint: 'BYTES',
    about: {
      en: 'bodies of all requests held at once, compressed and decompressed; a quarter of it for one account; beyond it requests get 429',
      ko: '동시에 메모리에 두는 모든 요청 본문의 크기(압축 전후 포함), 한 계정은 그 4분의 1까지, 넘으면 429',
    },
    initial: String(256 * 1024 * 1024),
    read: number(1024 * 1024, Number.MAX_SAFE_INTEGER),
  }),
  'body-time': setting({
    hint: 'SECONDS',
    about: {
      en: 'time for a body to arrive, and one more second for each 64 KiB of it; without a key 10 seconds at most',
      ko: '본문이 도착해야 하는 시간, 64KiB마다 1초씩 더함, 키가 없으면 최대 10초',
    },
    initial: '60',
    read: number(1, 86_400),
  }),
  'body-rate': setting({
    hint: 'BYTES',
    about: {
      en: 'minimum bytes per second of a body over any 30 seconds, because a slow body holds memory and a connection',
      ko: '30초 동안 본문이 도착해야 하는 초당 최소 바이트 수, 느린 본문은 메모리와 연결을 차지함',
    },
    initial: '1024',
    read: number(0, 1024 * 1024 * 1024),
  }),
  connections: setting({
    hint: 'COUNT',
    about: {
      en: 'connections open at once; beyond it the oldest without a finished request is closed, or the new one; a tenth for one address without a key',
      ko: '동시에 열 수 있는 연결 수, 넘으면 끝난 요청이 없는 가장 오래된 연결이나 새 연결을 닫음, 키 없는 한 주소는 십분의 일까지',
    },
    initial: '10000',
    read: number(1, 1_000_000),
  }),
  'push-limit': setting({
    hint: 'BYTES',
    about: { en: 'largest body of pushed logs, decompressed', ko: '전송 로그 본문의 최대 크기(압축 해제 후)' },
    initial: String(64 * 1024 * 1024),
    read: number(1024, 256 * 1024 * 1024),
  }),
  'push-lines': setting({
    hint: 'COUNT',
    about: {
      en: 'lines or array elements of one body of pushed logs, rejected and blank ones included',
      ko: '전송 로그 본문 하나의 최대 줄 또는 배열 요소 수, 거부된 줄과 빈 줄 포함',
    },
    initial: '1000000',
    read: number(1, 1_000_000_000),
  }),
  'line-limit': setting({
    hint: 'BYTES',
    about: { en: 'longest pushed or uploaded line', ko: '전송하거나 업로드하는 한 줄의 최대 크기' },
    initial: String(1024 * 1024),
    read: number(1, 64 * 1024 * 1024),
  }),
  'rejected-limit': setting({
    hint: 'COUNT',
    about: { en: 'rejected lines that one answer lists', ko: '한 응답에 알리는 거부된 줄의 수' },
    initial: '1000',
    read: number(0, 1_000_000),
  }),
  'upload-limit': setting({
    hint: 'BYTES',
    about: { en: 'largest upload', ko: '업로드 하나의 최대 크기' },
    initial: String(64 * 1024 ** 3),
    read: number(1, Number.MAX_SAFE_INTEGER),
  }),
  'upload-streams': setting({
    hint: 'COUNT',
    about: { en: 'uploads that may be open at once', ko: '동시에 열어 둘 수 있는 업로드 수' },
    initial: '1000',
    read: number(1, 1_000_000),
  }),
  'upload-streams-per-account': setting({
    hint: 'COUNT',
    about: {
      en: 'uploads that one account may have open at once',
      ko: '한 계정이 동시에 열어 둘 수 있는 업로드 수',
    },
    initial: '100',
    read: number(1, 1_000_000),
  }),
  'upload-idle': setting({
    hint: 'SECONDS',
    about: {
      en: 'time before an idle upload is removed, and for which a completed one is remembered',
      ko: '멈춘 업로드를 지우기까지, 그리고 끝난 업로드를 기억하는 시간',
    },
    initial: '86400',
    read: number(1, 31_536_000),
  }),
} as const;
