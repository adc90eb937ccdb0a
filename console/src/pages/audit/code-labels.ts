// Categories and actions of the audit catalogue with their codes and labels.

import { en } from '#contract/labels/en.ts';
import { ko } from '#contract/labels/ko.ts';
import type { Locale } from '#contract/values.ts';

const CATALOGUES = { en, ko };

interface Option {
  readonly value: string;
  readonly label: string;
}

export const categoryOptions = (locale: Locale): readonly Option[] => sorted(CATALOGUES[locale].categories, locale);

/** Those of the chosen categories; all where none is chosen. */
export function actionOptions(locale: Locale, categories: readonly string[]): readonly Option[] {
  const labels = Object.entries(CATALOGUES[locale].actions).flatMap(([code, { label }]) =>
    categories.length === 0 || categories.includes(code.slice(0, code.indexOf('.'))) ? [[code, label] as const] : [],
  );
  return sorted(Object.fromEntries(labels), locale);
}

const sorted = (labels: Readonly<Record<string, string>>, locale: Locale): readonly Option[] => {
  const { compare } = new Intl.Collator(locale);
  return Object.entries(labels)
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => compare(one.label, other.label));
};
