// Filters of a list are values of the address of its page: a field that shows one shows what the address holds, and a
// choice changes it.

/** Names of the values that are of such a kind, where they are there. */
type NamesOf<S, Kind> = { [N in keyof S]-?: Exclude<S[N], undefined> extends Kind ? N : never }[keyof S];

export interface BoundFilters<S> {
  /** One value, or any; keywords too. */
  one<N extends NamesOf<S, string>>(
    name: N,
  ): { readonly value: S[N] | undefined; onChange(value: S[N] | undefined): void };
  /** Any number of values; none means any. */
  many<N extends NamesOf<S, readonly string[]>>(
    name: N,
  ): { readonly chosen: NonNullable<S[N]>; onChange(chosen: NonNullable<S[N]>): void };
}

export const boundFilters = <S extends object>(search: S, onChange: (change: S) => void): BoundFilters<S> => ({
  one: (name) => ({
    value: search[name],
    onChange: (value) => onChange({ [name]: value } as S), // Its values may all be absent.
  }),
  many: (name) => ({
    // No value is an empty list of any kind.
    chosen: (search[name] ?? []) as NonNullable<S[typeof name]>,
    onChange: (chosen) => onChange({ [name]: chosen } as S),
  }),
});
