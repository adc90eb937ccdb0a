// Queries that the reader has run, newest first, as the preferences of the account hold them.

export interface HistoryEntry {
  readonly q: string;
  readonly from: string;
  readonly to: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export const HISTORY = 'searches';
const MAX_ENTRIES = 50;
/** Preferences are small; a longer text is not remembered. */
const MAX_TEXT = 2000;

/** What is no history is none: another version may have written it. */
export function readHistory(preferences: Readonly<Record<string, unknown>>): readonly HistoryEntry[] {
  const stored = preferences[HISTORY];
  return Array.isArray(stored) ? stored.filter(isEntry).slice(0, MAX_ENTRIES) : [];
}

const isEntry = (value: unknown): value is HistoryEntry => {
  if (typeof value !== 'object' || value === null) return false;
  const { q, from, to, at } = value as Partial<Record<keyof HistoryEntry, unknown>>;
  return typeof q === 'string' && typeof from === 'string' && typeof to === 'string' && typeof at === 'number';
};

/** A text that was run before moves to the front. */
export const remembered = (entries: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] =>
  entry.q.length > MAX_TEXT ? entries : [entry, ...entries.filter(({ q }) => q !== entry.q)].slice(0, MAX_ENTRIES);
