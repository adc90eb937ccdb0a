// The log in an export.

import { entryHash } from '#audit/chain/chain.ts';
import { ENTRY_COLUMNS, type SealedEntry } from '#audit/entry.ts';
import { labelsOf } from '#contract/labels/catalogue.ts';
import { LOCALES } from '#contract/values.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import { linesOf } from './lines.ts';
import type { LoggedEntry } from './verify.ts';

type Members = Readonly<Record<string, unknown>>;

const ENTRIES_PER_PAGE = 1000;

export async function* exportedEntries(file: string): AsyncGenerator<readonly LoggedEntry[]> {
  let page: LoggedEntry[] = [];
  let before = 0;
  for (const { text } of linesOf(file)) {
    const logged = loggedLine(text) ?? unreadable(before + 1);
    before = logged.id;
    page.push(logged);
    if (page.length < ENTRIES_PER_PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

function loggedLine(text: string): LoggedEntry | undefined {
  try {
    const members: Members = parseJson(text);
    const { id, user, time, prev_hash } = members;
    if (typeof id !== 'number') return undefined;
    const fields = ENTRY_COLUMNS.filter((column) => Object.hasOwn(members, column));
    // A value of a wrong type gives another hash.
    const entry = Object.fromEntries(fields.map((column) => [column, members[column]])) as unknown as SealedEntry;
    return {
      id,
      hash: String(entry.hash),
      previous: String(prev_hash),
      isRewritten: user !== entry.user_name || time !== entry.created_at,
      hasOtherTexts: hasOtherTexts(members, entry),
      entry: () => entry,
      hashAfter: (previous, as) => hashOf({ ...entry, id: as }, previous),
    };
  } catch {
    return undefined;
  }
}

const unreadable = (id: number): LoggedEntry => ({
  id,
  hash: '',
  entry: () => undefined,
  hashAfter: () => undefined,
});

/** Undefined for values that no entry can hold, such as endlessly nested ones. */
function hashOf(entry: SealedEntry, previous: string): string | undefined {
  try {
    return entryHash(previous, entry);
  } catch {
    return undefined;
  }
}

/** Labels are not hashed, and another version may word them differently: a remark, not a finding. */
function hasOtherTexts({ result, category, action, msg }: Members, entry: SealedEntry): boolean {
  return !LOCALES.some((locale) => {
    const labels = labelsOf(entry, locale);
    const { action: ours } = labels;
    return result === labels.result && category === ours?.category && action === ours?.action && msg === ours?.msg;
  });
}
