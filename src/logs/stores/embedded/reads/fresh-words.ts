// Which of many tables have fresh records that can hold the texts that a scan looks for. There is no filter of their words, and
// a statement takes time for each table that it searches, so a plain one looks first for words alone.

import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import { recordsSource, type Stored, textColumns } from '#logs/stores/embedded/storage/records.ts';
import type { TextNeed } from '#query/rules/text-needs.ts';
import { type HotSource, MANY_TABLES, type TableRead } from './first-of-many.ts';

/** Leaves out fresh records of tables in which no record has the words; a few tables are left as they are. */
export async function readsWithWords(
  reads: readonly TableRead[],
  need: TextNeed,
  hotSource: HotSource,
  session: RunSession,
): Promise<readonly TableRead[]> {
  const condition = wordsCondition(need);
  const fresh = reads.filter(({ hotTables }) => hotTables.length > 0);
  if (condition === undefined || fresh.length < MANY_TABLES) return reads;
  const sources = fresh.flatMap(({ name, hotTables, stored }, index) =>
    hotTables.map((hot) => {
      const names = textColumns(stored).map((column) => quotedText(column.name));
      return `select ${index} as place, lower(concat_ws(chr(1), *columns(name -> name in (${names.join(', ')})))) as ${TEXT}
        from ${wholeRows(hotSource(name, hot), stored)}`;
    }),
  );
  const text = `select distinct place from (${sources.join(' union all ')}) where ${condition}`;
  const rows = await session.rows({ text, values: [], types: [] });
  const found = new Set(rows.map(([index]) => fresh[Number(index)]));
  return reads.map((read) => (read.hotTables.length === 0 || found.has(read) ? read : { ...read, hotTables: [] }));
}

/** With the whole of `_rest`, where parts of it may be in columns of leaves. */
const wholeRows = (hot: string, stored: Stored): string =>
  stored.leaves.fields.length === 0 ? hot : `(${recordsSource({ paths: [], hotTables: [hot] }, stored)})`;

const TEXT = quotedName('text');

/** Texts of JSON may have characters as numbers. */
const IS_ESCAPED = `contains(${TEXT}, '\\u')`;

/** Holds for the text of every row that may match; undefined where the words say nothing. `_table` and its like are not stored. */
function wordsCondition(need: TextNeed): string | undefined {
  switch (need.kind) {
    case 'and': {
      const each = need.operands.flatMap((operand) => wordsCondition(operand) ?? []);
      return each.length === 0 ? undefined : each.join(' and ');
    }
    case 'or': {
      const each = need.operands.map(wordsCondition);
      return each.includes(undefined) ? undefined : `(${each.join(' or ')})`;
    }
    case 'term':
      return holdsAll(need.words);
    default:
      return need.isOnlyText && !need.column?.startsWith('_') ? holdsAll(plainWords(need.text)) : undefined;
  }
}

const plainWords = (text: string): string[] =>
  text.match(/[\dA-Za-z\uac00-\ud7a3]+/g)?.map((word) => word.toLowerCase()) ?? [];

function holdsAll(words: readonly string[]): string | undefined {
  const told = words.filter((word) => /^[\da-z\uac00-\ud7a3]+$/.test(word) && !isElsewhere(word));
  if (told.length === 0) return undefined;
  return `(${told.map((word) => `contains(${TEXT}, ${quotedText(word)})`).join(' and ')} or ${IS_ESCAPED})`;
}

/** Numbers, dates and booleans may be in columns of their own, or be written otherwise than they are searched. */
const isElsewhere = (word: string): boolean => /^[\de]+$/.test(word) || /^[aeflrstu]+$/.test(word);
