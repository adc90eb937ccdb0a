// Texts for people in the language of LC_ALL, LC_MESSAGES or LANG: Korean, or English for every other language.

import { type MessageCode, messages } from '#cli/messages/index.ts';
import type { Message } from '#cli/messages/message.ts';

type Language = keyof Message;

export interface Translator {
  readonly language: Language;
  text(code: MessageCode, values?: Readonly<Record<string, string>>): string;
}

export function translatorFor(environment: Readonly<Record<string, string | undefined>>): Translator {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const language = (LC_ALL || LC_MESSAGES || LANG || '').startsWith('ko') ? 'ko' : 'en';
  return {
    language,
    text: (code, values = {}) =>
      messages[code][language].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  };
}

export const isMessageCode = (code: string): code is MessageCode => Object.hasOwn(messages, code);
