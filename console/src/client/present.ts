// Values as they are sent and as they stand in addresses: short.

/** Leaves out what is absent or empty. */
export function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> }; // The same names with the same values.
}
