// The keys that move from row to row of a virtual list.

const PAGE_ROWS = 20;

/** The row that a key leads to; undefined for any other key. */
export function targetOf(key: string, index: number, lastIndex: number): number | undefined {
  return {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + PAGE_ROWS,
    PageUp: index - PAGE_ROWS,
    Home: 0,
    End: lastIndex,
  }[key];
}
