// Texts of `vigil lookup` and `vigil parser`.

import type { Messages } from './message.ts';

export const lookup = {
  'no-such-lookup': {
    en: 'there is no lookup `{name}` that this key may see',
    ko: '이 키로 볼 수 있는 `{name}` 룩업이 없습니다',
  },
  'lookup-created': { en: 'The lookup {name} is created.', ko: '{name} 룩업을 만들었습니다.' },
  'lookup-loaded': {
    en: 'The lookup {name} is in version {version}; rows: {rows}.',
    ko: '{name} 룩업: {rows}행, 버전 {version}.',
  },
  'lookup-removed': { en: 'The lookup {name} is removed.', ko: '{name} 룩업을 지웠습니다.' },
  'no-such-parser': { en: 'there is no stored parser `{code}`', ko: '저장된 `{code}` 파서가 없습니다' },
  'parser-created': { en: 'The parser {code} is created.', ko: '{code} 파서를 만들었습니다.' },
  'parser-removed': { en: 'The parser {code} is removed.', ko: '{code} 파서를 지웠습니다.' },
} as const satisfies Messages;
