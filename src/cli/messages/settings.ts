// Texts about settings that are wrong.

import type { Messages } from './message.ts';

export const settings = {
  'advertise-not-https': {
    en: 'advertise must begin with https://, because keys are sent to it; advertise-http allows http://',
    ko: 'advertise로 키가 전송되므로 https://로 시작해야 합니다. advertise-http를 켜면 http://도 쓸 수 있습니다',
  },
  'bad-settings-file': { en: '{path} is not valid TOML: {reason}', ko: '올바른 TOML이 아닙니다: {path}: {reason}' },
  'geoip-columns': {
    en: 'the first line of {path} must name the column `network` and no columns other than {columns}',
    ko: '{path}의 첫 줄에는 `network` 컬럼이 있어야 하며 {columns} 외의 컬럼은 쓸 수 없습니다',
  },
  'geoip-line': { en: 'line {line} of {path} has no network', ko: '{path}의 {line}번째 줄에 네트워크가 없습니다' },
  'master-key-too-short': {
    en: 'VIGIL_MASTER_KEY must have at least {least} characters',
    ko: 'VIGIL_MASTER_KEY는 {least}자 이상이어야 합니다',
  },
  'node-lease-too-short': {
    en: 'node-lease must be at least three times node-renewal',
    ko: 'node-lease는 node-renewal의 세 배 이상이어야 합니다',
  },
  'no-settings-file': { en: 'there is no settings file {path}', ko: '설정 파일이 없습니다: {path}' },
  'setting-not-a-database': {
    en: '{name} must begin with postgres://',
    ko: '{name} 값은 postgres://로 시작해야 합니다',
  },
  'setting-not-a-host': {
    en: '{name} must be hosts such as db.example.com, *.example.com or 10.0.0.0/8:5432, not `{text}`',
    ko: '{name} 값은 db.example.com, *.example.com, 10.0.0.0/8:5432 같은 호스트여야 합니다: `{text}`',
  },
  'setting-not-a-log-store': {
    en: '{name} must be embedded or clickhouse://user:password@host1,host2/database?cluster=NAME',
    ko: '{name} 값은 embedded 또는 clickhouse://user:password@host1,host2/database?cluster=NAME 형식이어야 합니다',
  },
  'setting-not-a-mapping': {
    en: '{name} must be mappings such as nginx-*=web, not `{text}`',
    ko: '{name} 값은 nginx-*=web 같은 매핑이어야 합니다: `{text}`',
  },
  'setting-not-a-node': {
    en: '{name} must have 1 to 50 letters, digits, dots, underscores or hyphens, not `{text}`',
    ko: '{name} 값은 문자, 숫자, 점, 밑줄, 하이픈으로 된 1~50자여야 합니다: `{text}`',
  },
  'setting-not-a-node-url': {
    en: '{name} must be a URL such as https://vigil1.example.com:8470',
    ko: '{name} 값은 https://vigil1.example.com:8470 같은 URL이어야 합니다',
  },
  'setting-not-a-number': {
    en: '{name} must be a whole number from {least} to {most}, not `{text}`',
    ko: '{name} 값은 {least}부터 {most}까지의 정수여야 합니다: `{text}`',
  },
  'setting-not-a-table': {
    en: '{name} must be the name of a table, a letter and then letters, digits and underscores, not `{text}`',
    ko: '{name} 값은 문자로 시작하고 문자, 숫자, 밑줄로 된 테이블 이름이어야 합니다: `{text}`',
  },
  'setting-not-a-version': {
    en: '{name} must be a version such as 8.19.0, not `{text}`',
    ko: '{name} 값은 8.19.0 같은 버전이어야 합니다: `{text}`',
  },
  'setting-not-a-zone': {
    en: '{name} must be a time zone such as Asia/Seoul, not `{text}`',
    ko: '{name} 값은 Asia/Seoul 같은 시간대여야 합니다: `{text}`',
  },
  'setting-not-an-origin': {
    en: '{name} must be origins such as https://vigil.example.com, not `{text}`',
    ko: '{name} 값은 https://vigil.example.com 같은 오리진이어야 합니다: `{text}`',
  },
  'setting-not-an-address': {
    en: '{name} must be addresses or networks such as 10.0.0.0/8, not `{text}`',
    ko: '{name} 값은 10.0.0.0/8 같은 주소나 네트워크여야 합니다: `{text}`',
  },
  'setting-not-one-of': {
    en: '{name} must be one of {values}, not `{text}`',
    ko: '{name} 값은 {values} 중 하나여야 합니다: `{text}`',
  },
  'tls-half-given': {
    en: 'tls-cert and tls-key must be set together: one of them is missing',
    ko: 'tls-cert와 tls-key는 함께 지정해야 합니다: 하나가 빠졌습니다',
  },
  'variable-empty': {
    en: 'the variable {variable} is empty: unset it, or give a value for {name}',
    ko: '환경 변수 {variable} 값이 비어 있습니다: 변수를 없애거나 {name} 값을 넣으십시오',
  },
  'unknown-key': { en: 'there is no setting `{name}` for vigil.toml', ko: 'vigil.toml에 `{name}` 설정은 없습니다' },
  'unknown-key-near': {
    en: 'there is no setting `{name}` for vigil.toml; did you mean `{suggestion}`?',
    ko: 'vigil.toml에 `{name}` 설정은 없습니다. 혹시 `{suggestion}` 설정입니까?',
  },
} as const satisfies Messages;
