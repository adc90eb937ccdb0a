// Arguments, files, the connection to the service, and help: texts that several commands use.

import type { Messages } from './message.ts';

export const general = {
  'broken-off': {
    en: 'the connection to {url} was lost before the answer was complete: run the command again',
    ko: '응답이 끝나기 전에 {url} 연결이 끊겼습니다: 명령을 다시 실행하십시오',
  },
  'cannot-read': { en: 'cannot read {path} ({code})', ko: '파일을 읽을 수 없습니다: {path} ({code})' },
  'cannot-write': { en: 'cannot write {path} ({code})', ko: '파일에 쓸 수 없습니다: {path} ({code})' },
  'output-part': {
    en: '{part} holds what came before the end; {file} is as it was.',
    ko: '끝나기 전까지 받은 것: {part}. 그대로 둔 파일: {file}',
  },
  'confirm-question': { en: 'Go on? (yes or no)', ko: '계속할까요? (예 또는 아니요)' },
  'not-confirmed': {
    en: '{warning} Nothing was done; --yes does it without asking.',
    ko: '{warning} 아무것도 하지 않았습니다. --yes를 쓰면 묻지 않고 실행합니다.',
  },
  'flag-missing': {
    en: '--{name} is required; see vigil {command} --help',
    ko: '--{name} 옵션이 필요합니다. vigil {command} --help를 보십시오',
  },
  'flag-twice': { en: '--{name} is given twice', ko: '--{name} 옵션이 두 번 있습니다' },
  'key-malformed': {
    en: 'the key is malformed: it contains blanks, line breaks or characters that no key has',
    ko: '키의 형식이 잘못되었습니다: 빈칸이나 줄바꿈, 또는 키에 쓰지 않는 글자가 있습니다',
  },
  'key-missing': {
    en: 'no key was given: set the variable VIGIL_KEY, or name a file that holds the key with --key-file',
    ko: '키가 없습니다: 환경 변수 VIGIL_KEY에 넣거나, 키가 든 파일을 --key-file로 지정하십시오',
  },
  'not-a-file': { en: '{path} is not a file', ko: '파일이 아닙니다: {path}' },
  'no-such-file': { en: 'there is no file {path}', ko: '파일이 없습니다: {path}' },
  'not-vigil': {
    en: '{url} answers with status {status}, but is not a Vigil service: check --url or VIGIL_URL',
    ko: '{url}의 응답(상태 {status})이 Vigil 서비스의 것이 아닙니다: --url이나 VIGIL_URL을 확인하십시오',
  },
  'nothing-to-change': {
    en: 'no change was given; --help lists the flags',
    ko: '바꿀 값이 없습니다. --help로 옵션을 볼 수 있습니다',
  },
  'one-dash': {
    en: 'flags begin with two dashes, unlike `{arg}`; --help lists the flags',
    ko: '옵션은 줄표 두 개로 시작합니다: `{arg}`. --help로 옵션을 볼 수 있습니다',
  },
  'older-bundle': {
    en: 'the sources run, because they are newer than dist/service: `npm run build` makes starts faster',
    ko: '소스가 dist/service보다 새로워서 소스를 실행합니다: `npm run build`를 실행하면 더 빨리 시작합니다',
  },
  'refused-outside': { en: 'the command failed: {reason}', ko: '실행하지 못했습니다: {reason}' },
  'standard-output': { en: 'standard output', ko: '표준 출력' },
  'unknown-charset': {
    en: 'there is no character set `{charset}`; utf-8, utf-16, cp949 and euc-kr are some',
    ko: '`{charset}` 문자 집합은 없습니다. utf-8, utf-16, cp949, euc-kr 등을 쓸 수 있습니다',
  },
  'unknown-command': {
    en: 'there is no command `{name}`; see vigil --help',
    ko: '`{name}` 명령은 없습니다. vigil --help를 보십시오',
  },
  'unknown-command-near': {
    en: 'there is no command `{name}`; did you mean `{suggestion}`?',
    ko: '`{name}` 명령은 없습니다. 혹시 `{suggestion}` 명령입니까?',
  },
  'unknown-flag': {
    en: 'there is no flag --{name}; --help lists the flags',
    ko: '--{name} 옵션은 없습니다. --help로 옵션을 볼 수 있습니다',
  },
  'unknown-flag-near': {
    en: 'there is no flag --{name}; did you mean --{suggestion}?',
    ko: '--{name} 옵션은 없습니다. 혹시 --{suggestion} 옵션입니까?',
  },
  unreachable: {
    en: 'no answer from {url} ({reason}): is the service running there? --url or VIGIL_URL names another address',
    ko: '{url}에서 응답이 없습니다 ({reason}): 서비스가 실행 중입니까? 다른 곳은 --url이나 VIGIL_URL로 지정하십시오',
  },
  'url-wrong': {
    en: '`{url}` is not the address of a service, such as http://127.0.0.1:8470',
    ko: '서비스 주소가 아닙니다: `{url}`. http://127.0.0.1:8470 같은 주소여야 합니다',
  },
  'value-missing': { en: '--{name} needs a value', ko: '--{name}에 값이 필요합니다' },
  'value-unwanted': { en: '--{name} takes no value', ko: '--{name}에는 값을 줄 수 없습니다' },
  'word-missing': {
    en: '{word} is missing; see vigil {command} --help',
    ko: '{word} 자리의 값이 없습니다. vigil {command} --help를 보십시오',
  },
  'word-unwanted': {
    en: '`{word}` is one argument too many; see vigil {command} --help',
    ko: '필요 없는 인자가 있습니다: `{word}`. vigil {command} --help를 보십시오',
  },
  unexpected: { en: 'internal error: {reason}', ko: '내부 오류: {reason}' },
  'help-usage': { en: 'Usage', ko: '사용법' },
  'help-commands': { en: 'Commands', ko: '명령' },
  'help-flags': { en: 'Flags', ko: '옵션' },
  'help-options': { en: 'Options', ko: '옵션' },
  'help-settings': {
    en: 'Settings (flag, or the variable shown, or the same name in vigil.toml)',
    ko: '설정 (옵션, 표시된 환경 변수, 또는 vigil.toml의 같은 이름)',
  },
  'help-word': {
    en: 'there is no command or function {word}',
    ko: "'{word}' 명령이나 함수가 없습니다",
  },
  'help-word-near': {
    en: 'there is no command or function {word}; did you mean {suggestion}?',
    ko: "'{word}' 명령이나 함수가 없습니다. 혹시 {suggestion}?",
  },
  'help-required': { en: 'required', ko: '필수' },
  'help-more': {
    en: 'vigil COMMAND --help describes one command.',
    ko: 'vigil COMMAND --help로 각 명령을 자세히 볼 수 있습니다.',
  },
  'nothing-found': { en: 'Nothing was found.', ko: '찾은 것이 없습니다.' },
  'part-shown': {
    en: '{shown} of {total} entries; --limit and --offset show the others.',
    ko: '{total}건 중 {shown}건입니다. 나머지는 --limit과 --offset으로 볼 수 있습니다.',
  },
  'service-not-reached': { en: 'no service is reached: {reason}', ko: '연결되는 서비스가 없습니다: {reason}' },
  'service-version': { en: 'service {version} at {url}', ko: '서비스 {version}, {url}' },
} as const satisfies Messages;
