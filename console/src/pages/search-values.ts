// Readers of the search parameters of an address. A value that is none of them is absent: an address never fails a page.

export type RawSearch = Readonly<Record<string, unknown>>;

/** Numbers and booleans are read by the router; a text that looks like one is still a text. */
export const textIn = (search: RawSearch, name: string): string | undefined => {
  const value = search[name];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
};

export const numberIn = (search: RawSearch, name: string): number | undefined => {
  const value = search[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
};

export const choiceIn = <V extends string>(search: RawSearch, name: string, choices: readonly V[]): V | undefined =>
  choices.find((choice) => choice === search[name]);

export const choicesIn = <V extends string>(search: RawSearch, name: string, choices: readonly V[]): readonly V[] => {
  const value = search[name];
  return Array.isArray(value) ? choices.filter((choice) => value.includes(choice)) : [];
};

export const textsIn = (search: RawSearch, name: string): readonly string[] => {
  const value = search[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};

/** Leaves out what is absent or empty, so that addresses stay short. */
export function present<T extends Readonly<Record<string, unknown>>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> }; // The same names with the same values.
}
