// What a reader types above a list that is here as a whole leaves the items whose text contains it.

/** In any case of letters. */
export const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** True where every word of what is typed is in the text, in any order. */
export const containsWords = (text: string, typed: string): boolean =>
  typed
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => contains(text, word));

/** Blanks around what is typed do not count; all items where nothing else is left. */
export function matching<T>(items: readonly T[], typed: string, textOf: (item: T) => string): T[] {
  const part = typed.trim();
  return items.filter((item) => contains(textOf(item), part));
}
