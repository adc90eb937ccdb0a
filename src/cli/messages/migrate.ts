// Texts of `vigil migrate`.

import type { Messages } from './message.ts';

export const migrate = {
  'migrate-no-folder': { en: 'cannot read the folder {path} ({code})', ko: '{path} 폴더를 읽을 수 없습니다 ({code})' },
  'migrate-no-such-object': {
    en: 'the folder has no {name}; --only takes KIND/NAME, separated by commas',
    ko: '폴더에 없는 객체: {name}. --only에는 KIND/NAME을 쉼표로 구분해 씁니다',
  },
  'migrate-cannot-read': { en: 'the file cannot be read ({detail})', ko: '파일을 읽을 수 없습니다 ({detail})' },
  'migrate-link': { en: 'the file is a link, and links are not followed', ko: '링크는 따라가지 않습니다' },
  'migrate-not-a-file': { en: 'this is not a plain file', ko: '일반 파일이 아닙니다' },
  'migrate-too-large': { en: 'the file has more than {detail} bytes', ko: '파일이 {detail}바이트를 넘습니다' },
  'migrate-not-utf-8': { en: 'the line is not UTF-8', ko: 'UTF-8이 아닌 줄입니다' },
  'migrate-head-open': { en: 'no blank line separates head and query', ko: '머리 줄과 쿼리 사이에 빈 줄이 없습니다' },
  'migrate-head-line': { en: 'not a line of the head: {line}', ko: '머리 줄이 아닙니다: {line}' },
  'migrate-head-twice': { en: 'the head has this line twice: {line}', ko: '머리 줄이 중복되었습니다: {line}' },
  'migrate-head-parameters': {
    en: 'expected [TYPE NAME, …], found {text}',
    ko: '[TYPE NAME, …] 형식이어야 합니다: {text}',
  },
  'migrate-malformed-json': {
    en: 'the file is not one JSON object',
    ko: '하나의 JSON 객체가 아닙니다',
  },
  'migrate-malformed-csv': {
    en: 'the row cannot be loaded: {reason}',
    ko: '적재할 수 없는 행입니다: {reason}',
  },
  'migrate-no-schedule': {
    en: 'the head has no schedule: write `schedule : 0 * * * *`',
    ko: '실행 주기가 없습니다. `실행 주기 : 0 * * * *`처럼 쓰십시오',
  },
  'migrate-unusable-name': {
    en: 'the name is empty, has a control character or is not allowed',
    ko: '이름이 비었거나 제어 문자가 있거나 쓸 수 없습니다',
  },
  'migrate-duplicate-name': {
    en: 'another file has the same name: {files}',
    ko: '같은 이름의 파일이 있습니다: {files}',
  },
  'migrate-call-cycle': {
    en: 'the procedure calls itself: {path}',
    ko: '프로시저가 자신을 호출합니다: {path}',
  },
  'migrate-stream-query': {
    en: 'there are no stream queries here; write a stream rule where it judges records, a rule of a logger model or a parser of kind query where it changes them, a scheduled query with import where it stores results',
    ko: '스트림 쿼리는 없습니다. 레코드를 판정하면 실시간 규칙, 바꾸면 수집기 모델의 규칙이나 query 파서, 결과를 저장하면 import를 쓰는 예약 쿼리를 쓰십시오',
  },
  'migrate-unknown-type': {
    en: 'the type {type} is read as string',
    ko: '{type} 형식은 string으로 읽습니다',
  },
  'migrate-alarm-not-moved': {
    en: 'the alarm is not moved: a batch rule with an alarm group serves for it',
    ko: '경보는 옮기지 않습니다. 경보 그룹이 있는 배치 규칙을 쓰십시오',
  },
  'migrate-unread': { en: 'not read: {file} ({reason})', ko: '읽지 않음: {file} ({reason})' },
  'migrate-counts': {
    en: '{ok} ok, {warning} with warnings, {refused} refused, {exists} exist',
    ko: '정상 {ok}, 경고 {warning}, 거부 {refused}, 있음 {exists}',
  },
  'migrate-created': { en: '{count} created', ko: '{count}개를 만들었습니다' },
  'migrate-status': { en: 'STATUS', ko: '상태' },
  'migrate-object': { en: 'OBJECT', ko: '객체' },
  'migrate-where': { en: 'FILE', ko: '파일' },
  'migrate-code': { en: 'CODE', ko: '코드' },
  'migrate-reason': { en: 'REASON', ko: '이유' },
  'migrate-instead': { en: 'INSTEAD', ko: '대신' },
} as const satisfies Messages;
