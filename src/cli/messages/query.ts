// Texts of `vigil query`.

import type { Messages } from './message.ts';

export const query = {
  'query-ended': {
    en: 'the query was cancelled ({reason}); rows until then: {rows}',
    ko: '쿼리가 취소되었습니다({reason}). 그때까지의 결과: {rows}건',
  },
  'query-failed': {
    en: 'the query failed: {reason}; rows until then: {rows}',
    ko: '쿼리가 실패했습니다: {reason}. 그때까지의 결과: {rows}건',
  },
  'query-mistake': {
    en: 'line {line}, column {column}: {message} ({code})',
    ko: '{line}행 {column}열: {message} ({code})',
  },
  'query-param-wrong': {
    en: '--param must be NAME=VALUE, not `{text}`',
    ko: '--param은 NAME=VALUE로 지정해야 합니다: `{text}`',
  },
  'query-two-formats': { en: '--json and --format cannot be combined', ko: '--json과 --format은 함께 쓸 수 없습니다' },
  'query-replacement': { en: 'meant as: {text}', ko: '이렇게 쓰면 됩니다: {text}' },
  'query-run-it': {
    en: 'Enter runs it, anything else leaves it.',
    ko: 'Enter를 누르면 실행하고, 다른 입력은 취소합니다.',
  },
  'query-cancelling': {
    en: 'Cancelling the query; Ctrl-C again leaves without waiting.',
    ko: '쿼리를 취소하는 중입니다. Ctrl-C를 다시 누르면 기다리지 않고 끝냅니다.',
  },
  'query-commands-before': { en: '… {count} earlier commands', ko: '… 앞의 명령 {count}개' },
  'query-part-shown': {
    en: '{shown} of {total} rows; --limit shows more, --output writes all of them to a file.',
    ko: '{total}건 중 {shown}건입니다. --limit으로 더 보거나 --output으로 모두 파일에 쓸 수 있습니다.',
  },
  'query-progress': { en: '{elapsed}  {rows} rows', ko: '{elapsed}  {rows}건' },
  'query-rows': { en: '{rows} rows in {seconds} s', ko: '{rows}건, {seconds}초' },
  'query-stage-engine': { en: 'engine', ko: '엔진' },
  'query-stage-commands': { en: 'commands', ko: '명령' },
  'query-stage-rows-read': { en: 'rows read', ko: '읽은 행' },
  'query-stage-bytes-read': { en: 'bytes read', ko: '읽은 바이트' },
  'query-stage-rows-moved': { en: 'rows moved', ko: '옮긴 행' },
  'query-stage-bytes-moved': { en: 'bytes moved', ko: '옮긴 바이트' },
  'query-stage-elapsed': { en: 'ms', ko: '밀리초' },
  'query-status-end': { en: 'done', ko: '완료' },
  'query-status-finalizing': { en: 'finalizing', ko: '마무리 중' },
  'query-status-running': { en: 'running', ko: '실행 중' },
  'query-status-waiting': { en: 'waiting', ko: '대기' },
} as const satisfies Messages;
