// The shape of one setting, and the readers of its text.

import { resolve } from 'node:path';
import { MASK } from '#contract/secret-names.ts';
import { isAddressOrNetwork } from '#kernel/net/address.ts';
import { isHostItem } from '#kernel/net/host-list.ts';
import { UsageError } from '#kernel/usage-error.ts';

export interface Setting<T> {
  /** Stands for the value in usage texts; absent for a flag without a value. */
  readonly hint?: string;
  readonly about: { readonly en: string; readonly ko: string };
  /** The default, as text; undefined for a setting that is off, or computed, by default. */
  readonly initial: string | undefined;
  /** The default of a service that runs the demo, where it is another one. */
  readonly initialInDemo?: string;
  /** The value as it may be shown, for a setting whose text may hold a secret. */
  shown?(value: T): string;
  /** Throws a UsageError when the text does not fit. */
  read(text: string, name: string): T;
}

export const number = (least: number, most: number) => (text: string, name: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new UsageError('setting-not-a-number', { name, text, least: String(least), most: String(most) });
  }
  return value;
};

export const oneOf =
  <const V extends readonly string[]>(values: V) =>
  (text: string, name: string): V[number] => {
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) throw new UsageError('setting-not-one-of', { name, text, values: values.join(', ') });
    return value;
  };

export function yesNo(text: string, name: string): boolean {
  return oneOf(['true', 'false'])(text, name) === 'true';
}

export const plain = (text: string) => text;

export function networks(text: string, name: string): readonly string[] {
  const listed = items(text);
  const wrong = listed.find((item) => !isAddressOrNetwork(item));
  if (wrong !== undefined) throw new UsageError('setting-not-an-address', { name, text: wrong });
  return listed;
}

/** Names, names below one, addresses and networks, each with an optional port. */
export function hosts(text: string, name: string): readonly string[] {
  const listed = items(text);
  const wrong = listed.find((item) => !isHostItem(item));
  if (wrong !== undefined) throw new UsageError('setting-not-a-host', { name, text: wrong });
  return listed;
}

export const items = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Absolute paths, comma-separated. */
export const folders = (text: string): readonly string[] => items(text).map((item) => resolve(item));

/** Scheme, host and port as browsers write them. */
export function origins(text: string, name: string): readonly string[] {
  return items(text).map((item) => {
    const url = URL.parse(item);
    if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError('setting-not-an-origin', { name, text: item });
    return url.origin;
  });
}

export function zone(text: string, name: string): string {
  // The default needs no check, which loads the zones of all places: 28 ms of every start.
  if (text === 'UTC') return text;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new UsageError('setting-not-a-zone', { name, text }, { cause });
  }
}

/** A URL without user, password and options, each of which may be a secret. */
export function urlWithoutSecrets(text: string): string {
  const url = URL.parse(text);
  if (!url) return MASK;
  const user = url.username === '' && url.password === '' ? '' : `${MASK}@`;
  return `${url.protocol}//${user}${url.host}${url.pathname}${url.search === '' ? '' : `?${MASK}`}`;
}

export const setting = <T>(declared: Setting<T>) => declared;

/** The flag that names a settings file, for every command that reads settings. */
export const settingsFileFlag = {
  hint: 'FILE',
  about: { en: 'settings file in place of vigil.toml', ko: 'vigil.toml 대신 읽을 설정 파일' },
} as const;
