// Texts of `vigil shell`.

import type { Messages } from './message.ts';

export const shell = {
  'shell-help': {
    en: 'Enter runs a complete query; Alt-Enter begins a new line. Tab completes, Up and Ctrl-R search the history. Ctrl-C cancels a running query, Ctrl-D leaves.',
    ko: 'Enter는 완성된 쿼리를 실행하고 Alt-Enter는 줄을 바꿉니다. Tab은 이름을 완성하고 위쪽 화살표와 Ctrl-R은 지난 입력을 찾습니다. Ctrl-C는 실행 중인 쿼리를 취소하고 Ctrl-D는 끝냅니다.',
  },
  'shell-history-unwritable': {
    en: 'the history cannot be saved: {path} ({code})',
    ko: '입력 기록을 저장할 수 없습니다: {path} ({code})',
  },
  'shell-leave-hint': {
    en: 'Ctrl-C again, Ctrl-D or \\quit leaves.',
    ko: '끝내려면 Ctrl-C를 한 번 더 누르거나 Ctrl-D 또는 \\quit을 입력하십시오.',
  },
  'shell-more-choices': { en: '… and {count} more', ko: '… 그 밖에 {count}개' },
  'shell-next-output': {
    en: 'The rows of the next query go to {path}.',
    ko: '다음 쿼리의 결과는 파일에 씁니다: {path}',
  },
  'shell-no-output': { en: 'Rows are shown here.', ko: '결과를 여기에 보여 줍니다.' },
  'shell-part-shown': {
    en: '{shown} of {total} rows; \\o FILE before the query writes all of them to a file.',
    ko: '{total}건 중 {shown}건입니다. 쿼리 앞에 \\o FILE을 쓰면 모두 파일에 쓸 수 있습니다.',
  },
  'shell-search': { en: 'search `{text}`: ', ko: '찾기 `{text}`: ' },
  'shell-search-nothing': { en: 'no match for `{text}`: ', ko: '`{text}` 없음: ' },
  'shell-timing-off': { en: 'Elapsed times are hidden.', ko: '걸린 시간을 보여 주지 않습니다.' },
  'shell-timing-on': { en: 'Elapsed times are shown.', ko: '걸린 시간을 보여 줍니다.' },
  'shell-unknown': {
    en: 'there is no command \\{name}; \\help lists the commands',
    ko: '\\{name} 명령은 없습니다. \\help로 명령을 볼 수 있습니다',
  },
  'shell-unknown-near': {
    en: 'there is no command \\{name}; did you mean \\{suggestion}?',
    ko: '\\{name} 명령은 없습니다. 혹시 \\{suggestion} 명령입니까?',
  },
  'shell-welcome': {
    en: 'Vigil {version} at {url}. Tab completes, \\help lists the commands, Ctrl-D leaves.',
    ko: 'Vigil {version}, {url}. Tab으로 완성하고 \\help로 도움말을 봅니다. Ctrl-D로 끝냅니다.',
  },
  'shell-word-missing': { en: '\\{name} needs {word}', ko: '\\{name} 명령에는 값이 필요합니다: {word}' },
} as const satisfies Messages;
