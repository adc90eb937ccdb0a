// The settings of access: trusted proxies, hosts and origins, rates, and quotas of accounts.

import { hosts, items, networks, number, origins, setting } from '#settings/setting.ts';

export const accessSettings = {
  'trusted-proxies': setting({
    hint: 'NETWORKS',
    about: {
      en: 'addresses or networks, comma-separated, whose X-Forwarded-For is trusted; none by default',
      ko: 'X-Forwarded-For를 신뢰할 주소나 네트워크(쉼표로 구분), 기본값은 없음',
    },
    initial: '',
    read: networks,
  }),
  'allowed-hosts': setting({
    hint: 'HOSTS',
    about: {
      en: 'host names, comma-separated, that requests may name in Host, against DNS rebinding; any by default; addresses and localhost are always allowed',
      ko: '요청의 Host로 허용하는 이름(쉼표로 구분), DNS 리바인딩 방지용, 기본값은 모두 허용, 주소와 localhost는 항상 허용',
    },
    initial: '',
    read: items,
  }),
  'public-origins': setting({
    hint: 'ORIGINS',
    about: {
      en: 'further origins of the service itself, comma-separated, for a proxy that rewrites Host; none by default',
      ko: '서비스 자신의 것으로 보는 추가 오리진(쉼표로 구분), Host를 바꾸는 프록시용, 기본값은 없음',
    },
    initial: '',
    read: origins,
  }),
  'database-hosts': setting({
    hint: 'HOSTS',
    about: {
      en: 'hosts of databases that connection profiles may name, comma-separated: names, *.names, addresses and networks, each with an optional port; none by default; internal addresses must be listed themselves',
      ko: '접속 프로파일에 쓸 수 있는 데이터베이스 호스트(쉼표로 구분): 이름, *.이름, 주소, 네트워크, 포트는 선택, 기본값은 없음, 내부 주소는 직접 적어야 함',
    },
    initial: '',
    read: hosts,
  }),
  'outbound-hosts': setting({
    hint: 'HOSTS',
    about: {
      en: 'hosts that queries and connection profiles of the kind http may reach, written as database-hosts; none by default',
      ko: '쿼리와 http 접속 프로파일이 접근할 수 있는 호스트, database-hosts와 같은 형식, 기본값은 없음',
    },
    initial: '',
    read: hosts,
  }),
  hsts: setting({
    hint: 'SECONDS',
    about: {
      en: 'max-age of Strict-Transport-Security in answers under TLS; 0 sends none',
      ko: 'TLS 응답의 Strict-Transport-Security max-age, 0이면 보내지 않음',
    },
    initial: '0',
    read: number(0, 63_072_000),
  }),
  'failed-auth-limit': setting({
    hint: 'COUNT',
    about: {
      en: 'failed authentications per address and minute before 429',
      ko: '429를 보내기 전까지 허용하는 주소별 분당 인증 실패 수',
    },
    initial: '60',
    read: number(1, 1_000_000),
  }),
  'key-rate': setting({
    hint: 'COUNT',
    about: { en: 'requests per second and account; 0 means no limit', ko: '계정별 초당 요청 수, 0이면 제한 없음' },
    initial: '0',
    read: number(0, 1_000_000),
  }),
  'key-burst': setting({
    hint: 'COUNT',
    about: {
      en: 'requests an account may make at once before key-rate counts',
      ko: 'key-rate 적용 전에 한 계정에 한꺼번에 허용하는 요청 수',
    },
    initial: '100',
    read: number(1, 1_000_000),
  }),
  'guids-limit': setting({
    hint: 'COUNT',
    about: { en: 'items in a list of GUIDs or codes', ko: 'GUID나 코드 목록의 최대 항목 수' },
    initial: '10000',
    read: number(1, 1_000_000),
  }),
  'api-keys-per-user': setting({
    hint: 'COUNT',
    about: {
      en: 'API keys of one user; each is kept until it is revoked',
      ko: '한 사용자가 가질 수 있는 API 키 수, 폐기할 때까지 보관함',
    },
    initial: '100',
    read: number(1, 1_000_000),
  }),
  'sessions-per-user': setting({
    hint: 'COUNT',
    about: {
      en: 'console sessions of one user; a further one ends the oldest',
      ko: '한 사용자의 콘솔 세션 수, 넘으면 가장 오래된 세션을 끝냄',
    },
    initial: '50',
    read: number(1, 1_000_000),
  }),
  'datasets-per-account': setting({
    hint: 'COUNT',
    about: {
      en: 'datasets that one account may keep',
      ko: '한 계정이 보관할 수 있는 데이터셋 수',
    },
    initial: '1000',
    read: number(1, 1_000_000),
  }),
  'dashboards-per-account': setting({
    hint: 'COUNT',
    about: {
      en: 'dashboards that one account may keep',
      ko: '한 계정이 보관할 수 있는 대시보드 수',
    },
    initial: '200',
    read: number(1, 1_000_000),
  }),
  'streams-per-account': setting({
    hint: 'COUNT',
    about: {
      en: 'event streams that one account may have open, because each holds a connection',
      ko: '한 계정이 열어 둘 수 있는 이벤트 스트림 수, 스트림마다 연결을 차지함',
    },
    initial: '20',
    read: number(1, 100_000),
  }),
  'waits-per-account': setting({
    hint: 'COUNT',
    about: {
      en: 'requests of one account that may wait for a query at once, because each holds a connection',
      ko: '한 계정에서 동시에 쿼리를 기다릴 수 있는 요청 수, 요청마다 연결을 차지함',
    },
    initial: '100',
    read: number(1, 100_000),
  }),
} as const;
