// Flags that select audit entries: the filters of the contract.

import type { Flags } from '#cli/kit/command.ts';

export const auditFilters: Flags = {
  keywords: {
    hint: 'A,B',
    about: { en: 'only entries that contain all of these words', ko: '이 말이 모두 나오는 기록만' },
    sends: 'keywords',
  },
  categories: {
    hint: 'A,B',
    about: { en: 'only these categories, by label or code', ko: '이 범주의 기록만, 이름이나 코드로' },
    sends: 'categories',
  },
  actions: {
    hint: 'A,B',
    about: { en: 'only these actions, by label or code', ko: '이 작업의 기록만, 이름이나 코드로' },
    sends: 'actions',
  },
  companies: {
    hint: 'GUIDS',
    about: { en: 'only entries of these companies', ko: '이 회사들의 기록만' },
    sends: 'company_guids',
  },
  from: {
    hint: 'TIME',
    about: {
      en: 'from this time on, such as "2026-01-31 00:00:00+0900"',
      ko: '이때부터, 예: "2026-01-31 00:00:00+0900"',
    },
    sends: 'from',
  },
  to: { hint: 'TIME', about: { en: 'up to this time', ko: '이때까지' }, sends: 'to' },
  locale: {
    hint: 'en|ko',
    about: { en: 'language of the labels; that of the account by default', ko: '이름의 언어, 기본값은 계정의 언어' },
    sends: 'locale',
  },
};
