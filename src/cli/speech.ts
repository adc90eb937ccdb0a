// Words for people: the language comes from LANG (or LC_ALL, LC_MESSAGES), English unless it is Korean.

import { en, type MessageCode } from './messages/en.ts';
import { ko } from './messages/ko.ts';

export type Language = 'en' | 'ko';

export interface Speech {
  readonly language: Language;
  say(code: MessageCode, values?: Readonly<Record<string, string>>): string;
}

export function speechFor(environment: Readonly<Record<string, string | undefined>>): Speech {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const language = (LC_ALL || LC_MESSAGES || LANG || '').startsWith('ko') ? 'ko' : 'en';
  const messages = language === 'ko' ? ko : en;
  return {
    language,
    say: (code, values = {}) => messages[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  };
}

export const isMessageCode = (code: string): code is MessageCode => Object.hasOwn(en, code);
