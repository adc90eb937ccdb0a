// The shared part of the commands that use a database: connection profile, SQL and its values.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { takeExpression } from '#query/language/expressions/expression-parser.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { markedSql, READING_WORDS, readSql, type SqlText } from '#query/language/sql-text.ts';
import { bareInner, quoted, unescaped } from '#query/language/strings.ts';
import type { Words } from '#query/language/words.ts';
import type { Duration } from '#query/model/durations.ts';
import type { ParameterRead, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { BoundSql } from '#query/plan-nodes/shared/database.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import type { KnownProfile } from '#query/planning/query-context.ts';

type WrittenProfile = Span & ({ readonly text: string } | { readonly parameter: ParameterRead });

const PROFILE_NAME = /^[\p{L}\p{N}_-]+$/u;

/** A name, a STRING or `$()`. */
export const profileWord = {
  *read(words: Words): SlicedWork<WrittenProfile> {
    const token = words.takeString();
    if (token) return { text: unescaped(token).text, begin: token.begin, end: token.end };
    if (words.startsWith('$(')) {
      const parameter = yield* takeExpression(words, {
        keywords: [],
        aggregate: 90307,
        least: Number.POSITIVE_INFINITY,
      });
      if (parameter.kind !== 'parameter') throw words.unexpected();
      return { parameter, begin: parameter.begin, end: parameter.end };
    }
    const word = words.takeWord();
    if (!word) throw words.tooFew({ term: 'profile' });
    if (!PROFILE_NAME.test(word.text)) throw new QueryError(90201, word, { token: word.text });
    return { ...word, text: word.text.normalize() };
  },
  text: (word: WrittenProfile): string => {
    if ('parameter' in word) return expressionText(word.parameter);
    return PROFILE_NAME.test(word.text) ? word.text : quoted(word.text);
  },
};

type DatabaseProfile = KnownProfile & { readonly kind: BoundSql['dialect'] };

/** Undefined while a parameter has no value. Throws 10600 for a profile that the account may not use for this. */
export function databaseProfile(word: WrittenProfile, planning: CommandPlanning<unknown>): DatabaseProfile | undefined {
  const name = 'text' in word ? word.text : planning.parameter(word.parameter);
  if (name === undefined) return undefined;
  const { profiles, callerProfiles } = planning.queryContext;
  const text = typeof name === 'string' ? name.normalize() : '';
  const profile = profiles?.get(text);
  // A name that comes from the caller needs the right of the caller too.
  const isCallers = 'text' in word || !callerProfiles || callerProfiles.get(text) !== undefined;
  if (profile && isCallers && profile.kind !== 'http') return { ...profile, kind: profile.kind };
  const suggestions = suggestionsFor(text, (callerProfiles ?? profiles)?.keys() ?? []);
  throw new QueryError(10600, word, { name: text }, { suggestions });
}

export interface WrittenSql extends Span {
  readonly text: string;
  /** Where a position of the SQL is in the query. */
  readonly offsetOf: (at: number) => number;
}

/** The rest of the segment as typed, or one STRING. */
export function takeSql(words: Words, nameSpan: Span): WrittenSql {
  const begin = words.at;
  const token = words.takeString();
  if (token) {
    const { text, offset } = unescaped(token);
    return { text, begin, end: token.end, offsetOf: offset };
  }
  const typed = words.text.slice(begin, words.end).trimEnd();
  if (typed === '') throw new QueryError(10602, nameSpan, {}, { hints: [{ code: 91031 }] });
  const end = begin + typed.length;
  if (typed.startsWith('$(')) throw new QueryError(10602, { begin, end });
  words.moveTo(words.end);
  const { text, offset } = bareInner(typed, begin);
  return { text, begin, end, offsetOf: offset };
}

export const sqlText = ({ text }: WrittenSql): string => quoted(text);

export interface ReadSql {
  readonly sql: BoundSql;
  readonly read: SqlText;
}

/** The SQL of a statement that reads; the profile says how it is read. Throws 10602, 10603 and 10605. */
export function readingSql(written: WrittenSql, profile: DatabaseProfile | undefined): ReadSql {
  const dialect = profile?.kind ?? 'postgresql';
  const read = readSql(written.text, dialect);
  if (written.text.trim() === '') throw new QueryError(10602, written, {}, { hints: [{ code: 91031 }] });
  const { secondAt, firstWord } = read;
  if (secondAt !== undefined) {
    const end = written.offsetOf(written.text.length);
    throw new QueryError(10603, { begin: written.offsetOf(secondAt), end });
  }
  if (!READING_WORDS.includes(firstWord)) {
    const detail = `a statement begins with one of ${READING_WORDS.join(', ')}`;
    throw new QueryError(10605, written, { detail });
  }
  return { sql: { dialect, ...markedSql(read, dialect) }, read };
}

/** The position of each name at its first use. */
export function valueSpans({ read }: ReadSql, written: WrittenSql): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  for (const { name, at } of read.values) {
    const begin = written.offsetOf(at);
    if (!spans.has(name)) spans.set(name, { begin, end: begin + name.length + 1 });
  }
  return spans;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000 };

/** Of `timeout=`; other units are 90008. */
export function timeoutOf(timeout: Duration | undefined, planning: CommandPlanning<{ timeout: unknown }>) {
  if (!timeout) return {};
  const unit = UNITS[timeout.unit];
  if (unit !== undefined) return { timeoutMs: Number(timeout.count) * unit };
  const values = { name: 'timeout', value: `${timeout.count}${timeout.unit}`, expected: '10s, 2m' };
  throw new QueryError(90008, planning.optionAt('timeout') ?? planning.span, values);
}

export const DATABASE_RULES = [
  'PROFILE is a connection profile of the kind `postgresql` or `mysql`, by its name, a STRING or `$()`; it needs an administrator or a grant (10600).',
  'SQL is the rest of the segment, or one STRING; SQL with a pipe or an open bracket is a STRING. `:name` outside of its own strings, quoted names and comments is a value, bound with its type and never spliced; `::` is a cast. A list is bound as an array (`postgresql`), a map as JSON text.',
  'It begins with `select`, `with`, `values`, `table` or `show` (10605 before anything is sent) and is one statement (10603). It runs in a transaction that only reads and is rolled back; the connection is reset before it serves again. The rights of the user in the database bound what it can do, nothing else does.',
  'Rows, bytes and seconds of a statement are bounded by the profile (10604). At most `max_connections` of a profile are open; further statements wait. A cancelled query is cancelled in the database.',
  'Tested with PostgreSQL and MariaDB; MySQL itself is untested.',
] as const;
