// Lists that are filled in any order.

/** Returns a copy of the list with the value at the index, beyond its end as well. */
export function withElement<T>(list: readonly (T | undefined)[], index: number, value: T): readonly (T | undefined)[] {
  const longer = [...list];
  longer[index] = value;
  return longer;
}
