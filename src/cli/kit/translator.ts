// Words for people: the language comes from LANG (or LC_ALL, LC_MESSAGES), English unless it is Korean.

import { en, type MessageCode } from '#cli/messages/en.ts';
import { ko } from '#cli/messages/ko.ts';

export type Language = 'en' | 'ko';

export interface Translator {
  readonly language: Language;
  text(code: MessageCode, values?: Readonly<Record<string, string>>): string;
}

export function translatorFor(environment: Readonly<Record<string, string | undefined>>): Translator {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const language = (LC_ALL || LC_MESSAGES || LANG || '').startsWith('ko') ? 'ko' : 'en';
  const messages = language === 'ko' ? ko : en;
  return {
    language,
    text: (code, values = {}) => messages[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  };
}

export const isMessageCode = (code: string): code is MessageCode => Object.hasOwn(en, code);
