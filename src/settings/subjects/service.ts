// The settings of the service itself: where it listens and stores, its time zone, its log and its metrics.

import { resolve } from 'node:path';
import { TARGETS } from '#kernel/net/web-target.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { number, oneOf, plain, setting, urlWithoutSecrets, zone } from '#settings/setting.ts';

export const serviceSettings = {
  host: setting({
    hint: 'ADDRESS',
    about: { en: 'address to listen on', ko: '수신할 주소' },
    initial: '127.0.0.1',
    read: plain,
  }),
  port: setting({
    hint: 'PORT',
    about: { en: 'port to listen on; 0 picks a free one', ko: '수신할 포트, 0이면 빈 포트를 고름' },
    initial: '8470',
    read: number(0, 65535),
  }),
  data: setting({
    hint: 'FOLDER',
    about: { en: 'folder of all stored data', ko: '모든 저장 데이터의 폴더' },
    initial: './data',
    read: (text) => resolve(text),
  }),
  keys: setting({
    hint: 'FOLDER',
    about: {
      en: 'folder for secrets, kept apart from the data; by default `vigil` in the user’s configuration folder',
      ko: '데이터와 분리해 두는 비밀 키 폴더, 기본값은 사용자 설정 폴더의 `vigil`',
    },
    initial: undefined,
    read: (text) => resolve(text),
  }),
  database: setting({
    hint: 'URL',
    about: {
      en: 'postgres:// URL of the metadata database; by default a file in the data folder',
      ko: '메타데이터 데이터베이스의 postgres:// URL, 기본값은 데이터 폴더의 파일',
    },
    initial: undefined,
    shown: urlWithoutSecrets,
    read(text, name) {
      if (!/^postgres(ql)?:\/\//.test(text)) throw new UsageError('setting-not-a-database', { name });
      return text;
    },
  }),
  'tls-cert': setting({
    hint: 'FILE',
    about: {
      en: 'certificate chain in PEM; with tls-key the service uses HTTPS',
      ko: 'PEM 인증서 체인, tls-key와 함께 쓰면 HTTPS로 동작',
    },
    initial: undefined,
    read: plain,
  }),
  'tls-key': setting({
    hint: 'FILE',
    about: { en: 'private key of the certificate in PEM', ko: '인증서의 PEM 개인 키' },
    initial: undefined,
    read: plain,
  }),
  'time-zone': setting({
    hint: 'ZONE',
    about: { en: 'zone in which times are written and schedules are read', ko: '시각 표기와 일정 해석에 쓰는 시간대' },
    initial: 'UTC',
    read: zone,
  }),
  'log-level': setting({
    hint: 'LEVEL',
    about: { en: 'lowest level that the service log writes', ko: '서비스 로그의 상세 수준' },
    initial: 'info',
    read: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
  }),
  metrics: setting({
    hint: 'open|closed',
    about: { en: 'closed: /metrics needs the key of an administrator', ko: 'closed: /metrics에 관리자 키가 필요함' },
    initial: 'open',
    read: oneOf(['open', 'closed']),
  }),
  'webhook-targets': setting({
    hint: 'remote|any',
    about: {
      en: 'any: webhooks may also point at loopback, link-local, multicast and cloud metadata addresses',
      ko: 'any: 웹훅이 루프백, 링크 로컬, 멀티캐스트, 클라우드 메타데이터 주소도 가리킬 수 있음',
    },
    initial: 'remote',
    read: oneOf(TARGETS),
  }),
} as const;
