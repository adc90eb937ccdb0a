// Offsets of sources by their names, merged from the catalog and from journals.

export function furthest(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const offsets of all) {
    for (const [source, position] of offsets) found.set(source, Math.max(position, found.get(source) ?? 0));
  }
  return found;
}
