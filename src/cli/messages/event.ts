// Texts of `vigil event`.

import type { Messages } from './message.ts';

export const event = {
  'event-changed': { en: 'Events with the status {status} now: {count}', ko: '{status} 상태로 바꾼 이벤트: {count}건' },
  'event-closed': { en: 'Closed', ko: '종료' },
  'event-false-positive': { en: 'False positive', ko: '오탐' },
  'event-new': { en: 'New', ko: '신규' },
  'event-seen': { en: 'Seen', ko: '확인' },
  'field-count': { en: 'MATCHES', ko: '탐지 수' },
  'field-last-time': { en: 'LAST MATCH', ko: '마지막 탐지' },
  'field-status': { en: 'STATUS', ko: '상태' },
} as const satisfies Messages;
