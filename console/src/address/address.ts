// The values of a page in its address, each declared once: how it is read, and with that its type. A value that is none of
// those expected is absent: an address never fails a page.

import { present } from '#console/client/present.ts';

export type RawAddress = Readonly<Record<string, unknown>>;

/** Undefined where the value is none of those expected. */
export type AddressValue<T> = (value: unknown) => T | undefined;

/** Numbers and booleans are read by the router; a text that looks like one is still a text. */
export const text: AddressValue<string> = (value) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

export const number: AddressValue<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

/** True, or absent. */
export const flag: AddressValue<true> = (value) => (value === true ? true : undefined);

export const choice =
  <const V extends string | number>(choices: readonly V[]): AddressValue<V> =>
  (value) =>
    choices.find((one) => one === value);

/** In the order of the page. */
export const choices =
  <const V extends string>(all: readonly V[]): AddressValue<readonly V[]> =>
  (value) =>
    Array.isArray(value) ? all.filter((one) => value.includes(one)) : undefined;

export const texts: AddressValue<readonly string[]> = (value) =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;

type AddressValues = Readonly<Record<string, AddressValue<unknown>>>;

type Read<Vs extends AddressValues> = {
  readonly [N in keyof Vs]?: Exclude<ReturnType<Vs[N]>, undefined> | undefined;
};

/** Reads an address; what is not declared is left out. */
export const addressOf =
  <Vs extends AddressValues>(values: Vs) =>
  (raw: RawAddress): Read<Vs> =>
    present(Object.fromEntries(Object.entries(values).map(([name, read]) => [name, read(raw[name])]))) as Read<Vs>; // Each by its own reader.

/** The address after a change. */
export const changed = <S extends object>(before: S, change: Partial<S>): S => present({ ...before, ...change }) as S; // All values of an address may be absent.
