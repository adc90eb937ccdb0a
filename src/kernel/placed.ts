// Lists that are filled in any order.

/** A copy of the list with the value in its place. */
export function placed<T>(list: readonly (T | undefined)[], index: number, value: T): readonly (T | undefined)[] {
  const longer = [...list];
  longer[index] = value;
  return longer;
}
