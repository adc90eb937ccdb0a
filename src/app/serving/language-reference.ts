// Help on the query language for clients without permission: made once for each locale, with the first request.

import type { Locale } from '#contract/values.ts';
import type { LanguageReference, LanguageText } from '#resources/query/language.ts';

export function languageReference(): LanguageReference {
  const made = new Map<Locale, LanguageText>();
  return {
    async language(locale) {
      const { languageText } = await import('#docs/language/language-help.ts');
      const text = made.get(locale) ?? languageText(locale);
      made.set(locale, text);
      return text;
    },
  };
}
