// The language of the reader and its texts: chosen in the console, else that of the account, else that of the browser.

import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { usePreference, writePreference } from '#console/client/preference.ts';
import { type Locale, languageOf } from '#contract/values.ts';
import { en, type Labels } from './en.ts';
import { ko } from './ko.ts';

const CATALOGUE: Readonly<Record<Locale, Labels>> = { en, ko };

interface Language {
  readonly locale: Locale;
  readonly labels: Labels;
  choose(locale: Locale): void;
  /** The language of the account, used until another one is chosen. */
  adopt(locale: Locale): void;
}

const LanguageContext = createContext<Language>({ locale: 'en', labels: en, choose() {}, adopt() {} });

export function LabelsProvider({ children }: { readonly children: ReactNode }) {
  const [adopted, setAdopted] = useState<Locale>();
  const locale = languageOf(usePreference('language') ?? '') ?? adopted ?? languageOf(navigator.language) ?? 'en';
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const language = useMemo<Language>(
    () => ({
      locale,
      labels: CATALOGUE[locale],
      choose: (next) => writePreference('language', next),
      adopt: setAdopted,
    }),
    [locale],
  );
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export const useLanguage = (): Language => use(LanguageContext);

export const useLabels = (): Labels => use(LanguageContext).labels;
