// Reading the audit catalogue: an entry's labels in a language, and which actions a label or keyword points to.

import { LOCALES, type Locale, languageOf } from '#contract/values.ts';
import { en, type Labels } from './en.ts';
import { ko } from './ko.ts';

const LABELS: Readonly<Record<Locale, Labels>> = { en, ko };

interface Described {
  readonly module: string;
  readonly method: string;
  readonly error?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly msg_params?: { readonly [name: string]: unknown };
}

interface EntryLabels {
  readonly result: string;
  /** Absent when the catalogue does not define the action. */
  readonly action?: { readonly category: string; readonly action: string; readonly msg: string };
}

/** By its language: `ko-KR` and `KO` are Korean. An unknown one is read as English. */
export const localeOf = (text: string | undefined): Locale => languageOf(text ?? '') ?? 'en';

export function labelsOf(entry: Described, locale: Locale): EntryLabels {
  const labels = LABELS[locale];
  const result = labels.results[outcomeOf(entry)];
  const action = lookUp(labels.actions, `${entry.module}.${entry.method}`);
  const category = lookUp(labels.categories, entry.module);
  if (!action || !category) return { result };
  return { result, action: { category, action: action.label, msg: messageOf(action.message, entry, labels) } };
}

export function allCategories(locale: Locale): string[] {
  return sortedIn(locale, Object.values(LABELS[locale].categories));
}

export function allActions(locale: Locale): string[] {
  return sortedIn(
    locale,
    Object.values(LABELS[locale].actions).map(({ label }) => label),
  );
}

/** The modules whose code or label, in any language, is one of `words`. */
export function modulesNamed(words: readonly string[]): string[] {
  return Object.keys(en.categories).filter((module) =>
    words.some(
      (word) => word === module || LOCALES.some((locale) => lookUp(LABELS[locale].categories, module) === word),
    ),
  );
}

export interface Action {
  readonly module: string;
  readonly method: string;
}

/** The actions whose method, code or label, in any language, is one of `words`. */
export function actionsNamed(words: readonly string[]): Action[] {
  return defined().filter(({ module, method }) => {
    const code = `${module}.${method}`;
    const names = [method, code, ...LOCALES.map((locale) => lookUp(LABELS[locale].actions, code)?.label)];
    return words.some((word) => names.includes(word));
  });
}

/** The actions a part of whose labels or message, in any language, is `part`; compared in lower case. */
export function actionsContaining(part: string): Action[] {
  return defined().filter(({ module, method }) =>
    LOCALES.some((locale) => {
      const action = lookUp(LABELS[locale].actions, `${module}.${method}`);
      const category = lookUp(LABELS[locale].categories, module);
      const texts = [category ?? '', action?.label ?? '', ...(action?.message.split(HOLE) ?? [])];
      return texts.some((text) => text.toLowerCase().includes(part));
    }),
  );
}

type OutcomeName = keyof Labels['results'];

export function outcomeOf({ error, msg_params }: Pick<Described, 'error' | 'msg_params'>): OutcomeName {
  if (error !== undefined) return 'failed';
  return Number(msg_params?.failed ?? 0) > 0 ? 'partial' : 'succeeded';
}

/** The labels of an outcome in every language. */
export const outcomeLabels = (outcome: OutcomeName): string[] =>
  LOCALES.map((locale) => LABELS[locale].results[outcome]);

/** Which outcomes have `part` in their label, in any language. That of a partial one is in the text of its entry. */
export function outcomesContaining(part: string): { succeeded: boolean; failed: boolean } {
  const has = (outcome: 'succeeded' | 'failed') =>
    LOCALES.some((locale) => LABELS[locale].results[outcome].toLowerCase().includes(part));
  return { succeeded: has('succeeded'), failed: has('failed') };
}

const HOLE = /\{[\w.|]+\}/;
/** Of a list in a message. */
const NAMES_SHOWN = 10;

function defined(): Action[] {
  return Object.keys(en.actions).map((code) => {
    const dot = code.indexOf('.');
    return { module: code.slice(0, dot), method: code.slice(dot + 1) };
  });
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function messageOf(message: string, entry: Described, labels: Labels): string {
  const further = Object.entries(labels.additions).filter(
    ([name]) => entry.msg_params?.[name] && !message.includes(`{${name}}`),
  );
  return [message, ...further.map(([, text]) => text)].map((text) => filled(text, entry, labels)).join('');
}

function filled(message: string, entry: Described, { further }: Labels): string {
  return message.replace(/\{([\w.|]+)\}/g, (_, names: string) => {
    const values = names.split('|').map((name) => valueFor(name, entry));
    return shown(values.find((value) => value !== undefined) ?? '-', further);
  });
}

function valueFor(name: string, { params, msg_params }: Described): unknown {
  if (name.startsWith('given.')) return params?.[name.slice('given.'.length)];
  const value = msg_params?.[name] ?? params?.[name];
  return name === 'objects' && isEmpty(value) ? undefined : (value ?? undefined);
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** A parameter may be any JSON, an object with a `toString` of its own included. */
function shown(value: unknown, further: string): string {
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value) || !value.every(isNamed)) return JSON.stringify(value);
  const names = value.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const left = value.length - names.length;
  return names.join(', ') + (left === 0 ? '' : ` ${further.replace('{count}', String(left))}`);
}

const isNamed = (item: unknown): item is { name: string } =>
  typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string';

function sortedIn(locale: Locale, labels: readonly string[]): string[] {
  return [...new Set(labels)].sort(new Intl.Collator(locale).compare);
}
