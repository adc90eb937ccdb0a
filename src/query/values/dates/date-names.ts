// Names of months, weekdays and halves of the day in the languages of date patterns (9.5).

import type { Locale } from '#query/model/zones.ts';

export interface DateNames {
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
  /** Starts on Monday. */
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
  readonly halves: readonly string[];
}

export const DATE_NAMES: Readonly<Record<Locale, DateNames>> = {
  en: {
    months: 'January February March April May June July August September October November December'.split(' '),
    shortMonths: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
    days: 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' '),
    shortDays: 'Mon Tue Wed Thu Fri Sat Sun'.split(' '),
    halves: ['AM', 'PM'],
  },
  ko: {
    months: Array.from({ length: 12 }, (_, at) => `${at + 1}월`),
    shortMonths: Array.from({ length: 12 }, (_, at) => `${at + 1}월`),
    days: [...'월화수목금토일'].map((day) => `${day}요일`),
    shortDays: [...'월화수목금토일'],
    halves: ['오전', '오후'],
  },
};
