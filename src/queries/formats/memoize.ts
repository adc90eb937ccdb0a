// Memoizes the written form of field names: the same few names occur in every row.

const MAX_NAMES = 10_000;

export function memoize(write: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    // Records may have any number of different keys.
    if (known.size >= MAX_NAMES) known.clear();
    const written = write(name);
    known.set(name, written);
    return written;
  };
}
