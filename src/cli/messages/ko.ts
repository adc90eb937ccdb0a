// What the command says to a person, in Korean.

import type { MessageCode } from './en.ts';

export const ko: Readonly<Record<MessageCode, string>> = {
  'bad-settings-file': '{path}은(는) 올바른 TOML이 아닙니다: {reason}',
  'cannot-listen': '{host}:{port}에서 수신할 수 없습니다 ({code})',
  'data-folder-in-use': '데이터 폴더 {folder}을(를) 다른 Vigil 프로세스가 쓰고 있습니다: 먼저 멈추십시오',
  'master-key-too-short': 'VIGIL_MASTER_KEY는 {least}자 이상이어야 합니다',
  'no-master-account': '이 데이터베이스에는 `master` 계정이 없습니다',
  'no-settings-file': '설정 파일 {path}이(가) 없습니다',
  'no-such-file': '파일 {path}이(가) 없습니다',
  'port-in-use':
    '{host}의 포트 {port}을(를) 이미 쓰고 있습니다: 다른 프로그램을 멈추거나 --port로 다른 포트를 고르십시오',
  'setting-not-a-database': '{name}은(는) postgres://로 시작해야 합니다',
  'setting-not-a-number': '{name}은(는) {least}부터 {most}까지의 정수여야 합니다: `{text}`',
  'setting-not-a-zone': '{name}은(는) Asia/Seoul 같은 시간대여야 합니다: `{text}`',
  'setting-not-an-address': '{name}은(는) 10.0.0.0/8 같은 주소나 네트워크여야 합니다: `{text}`',
  'setting-not-one-of': '{name}은(는) {values} 중 하나여야 합니다: `{text}`',
  'tls-half-given': 'tls-cert와 tls-key는 함께 지정해야 합니다: 하나가 빠졌습니다',
  'unknown-command': '`{name}` 명령은 없습니다. vigil --help를 보십시오',
  'unknown-command-near': '`{name}` 명령은 없습니다. `{suggestion}`을(를) 뜻하셨습니까?',
  'unknown-flag': '--{name} 옵션은 없습니다. --help로 옵션을 볼 수 있습니다',
  'unknown-flag-near': '--{name} 옵션은 없습니다. --{suggestion}을(를) 뜻하셨습니까?',
  'unknown-key': 'vigil.toml에 `{name}` 설정은 없습니다',
  'unknown-key-near': 'vigil.toml에 `{name}` 설정은 없습니다. `{suggestion}`을(를) 뜻하셨습니까?',
  'value-missing': '--{name}에 값이 필요합니다',
  unexpected: '일어나서는 안 될 문제가 생겼습니다: {reason}',
  'help-usage': '사용법',
  'help-commands': '명령',
  'help-flags': '옵션',
  'help-settings': '설정 (옵션, 표시된 환경 변수, 또는 vigil.toml의 같은 이름)',
  'help-more': 'vigil COMMAND --help로 각 명령을 자세히 볼 수 있습니다.',
  'serve-ready': 'Vigil이 {url} 에서 준비되었습니다',
  'serve-key': '`master` 계정의 키이며, 지금 한 번만 보여 줍니다:',
  'serve-try': '다음을 실행해 보십시오:',
  'serve-stopping': '멈추는 중입니다.',
};
