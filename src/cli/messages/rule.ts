// Texts of `vigil rule`.

import type { Messages } from './message.ts';

export const rule = {
  'no-such-rule': { en: 'there is no rule `{rule}`', ko: '룰이 없습니다: `{rule}`' },
  'rule-kind-wrong': {
    en: '--kind must be batch or stream, not `{text}`',
    ko: '--kind는 batch 또는 stream이어야 합니다: `{text}`',
  },
  'rule-of-both-kinds': {
    en: 'a batch rule and a stream rule have the name `{rule}`: choose one with --kind',
    ko: '배치 룰과 스트림 룰에 같은 이름이 있습니다: `{rule}`. --kind로 하나를 고르십시오',
  },
  'rule-history-part': {
    en: '{shown} of {total} versions; --limit and --offset show the others.',
    ko: '전체 {total}개 버전 중 {shown}개입니다. 나머지는 --limit과 --offset으로 볼 수 있습니다.',
  },
  'rule-no-difference': {
    en: 'Versions {from} and {to} do not differ.',
    ko: '버전 {from}, {to} 사이에 차이가 없습니다.',
  },
  'rule-not-restored': {
    en: 'Version {version} of {name} cannot be put in force, and nothing was changed, because of:',
    ko: '다음 이유로 {name} 룰의 {version}번 버전을 적용할 수 없습니다. 바뀐 것은 없습니다.',
  },
  'rule-reference-gone': { en: 'missing ({key})', ko: '없음 ({key})' },
  'rule-restored': {
    en: 'Version {version} of {name} is in force again, as version {now}.',
    ko: '{name} 룰의 {version}번 버전을 다시 적용했습니다. 새 버전: {now}',
  },
  'rule-restored-from': { en: 'restore of {version}', ko: '버전 {version} 복원' },
  'rule-test-broken': {
    en: 'the rule {rule} cannot be evaluated until it is changed: {reason}',
    ko: '{rule} 룰은 고치기 전에는 평가할 수 없습니다: {reason}',
  },
  'rule-test-line': { en: 'line {line} is not a JSON object', ko: '{line}번째 줄은 JSON 객체가 아닙니다' },
  'rule-test-match': { en: 'matches', ko: '걸림' },
  'rule-test-none': { en: 'no rule matches', ko: '걸리는 룰 없음' },
  'rule-test-not': { en: 'not: {condition}', ko: '아닐 것: {condition}' },
  'rule-test-rejected': { en: 'would be rejected: {reason}', ko: '받지 않을 로그: {reason}' },
  'rule-test-stopped': { en: 'stopped by condition {ordinal}', ko: '조건 {ordinal}에서 멈춤' },
  'rule-test-summary': {
    en: '{matching} of {records} records match a rule. Nothing was kept or raised.',
    ko: '로그 {records}개 중 {matching}개가 룰에 걸립니다. 저장하거나 탐지한 것은 없습니다.',
  },
  'rule-would-change': {
    en: 'Restoring version {version} would make these changes. Nothing was changed.',
    ko: '{version}번 버전을 복원하면 이렇게 바뀝니다. 아직 바뀐 것은 없습니다.',
  },
  'rule-would-not-change': {
    en: 'Restoring version {version} would change nothing.',
    ko: '{version}번 버전을 복원해도 바뀌는 것이 없습니다.',
  },
  'field-last-success': { en: 'LAST SUCCESS', ko: '마지막 성공' },
  'field-rule-error': { en: 'RULE ERROR', ko: '룰 오류' },
  'field-address-group': { en: 'ADDRESS GROUP', ko: '주소 그룹' },
  'field-alarm-group': { en: 'ALARM GROUP', ko: '알람 그룹' },
  'field-assignees': { en: 'TICKET ASSIGNEES', ko: '티켓 담당자' },
  'field-audit-category': { en: 'AUDIT CATEGORY', ko: '소명 분류' },
  'field-auditor': { en: 'AUDITOR', ko: '최종 검토자' },
  'field-author': { en: 'AUTHOR', ko: '작성자' },
  'field-category': { en: 'CATEGORY', ko: '분류' },
  'field-change': { en: 'CHANGE', ko: '변경' },
  'field-comment': { en: 'COMMENT', ko: '남긴 말' },
  'field-condition': { en: 'CONDITION', ko: '조건' },
  'field-conditions': { en: 'CONDITIONS', ko: '조건' },
  'field-dataset': { en: 'DATASET', ko: '데이터셋' },
  'field-kind': { en: 'KIND', ko: '종류' },
  'field-line': { en: 'LINE', ko: '줄' },
  'field-logger-models': { en: 'LOGGER MODELS', ko: '로거 모델' },
  'field-loggers': { en: 'LOGGERS', ko: '로거' },
  'field-priority': { en: 'PRIORITY', ko: '우선순위' },
  'field-reviewers': { en: 'REVIEWERS', ko: '검토자' },
  'field-rule': { en: 'RULE', ko: '룰' },
  'field-ticket-cond': { en: 'RAISES TICKETS', ko: '티켓 발행' },
  'field-ticket-repo': { en: 'TICKET REPOSITORY', ko: '티켓 저장소' },
  'field-value': { en: 'VALUE', ko: '값' },
  'field-values': { en: 'VALUES', ko: '읽은 값' },
  'field-version': { en: 'VERSION', ko: '버전' },
  'field-what': { en: 'ITEM', ko: '항목' },
} as const satisfies Messages;
