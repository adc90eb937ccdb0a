// A first slice of the query language, until the language itself is here: one table, its range and order, and
// `stats count`. What the language knows and this slice does not is refused with 92003.

import type { TimeRange } from '#engines/engine.ts';
import { momentAfter, momentOf, type Present } from './times.ts';

export interface SliceQuery {
  readonly table: Word;
  readonly range: TimeRange;
  readonly order: 'desc' | 'asc';
  readonly offset: number;
  readonly limit: number;
  readonly isCount: boolean;
}

/** A piece of the text and where it begins, in UTF-16 units. */
export interface Word {
  readonly text: string;
  readonly begin: number;
}

/** What is wrong with a query, in the words of the language reference. */
export class QueryMistake extends Error {
  readonly code: number;
  readonly begin: number;

  constructor(code: number, message: string, { begin }: Pick<Word, 'begin'>) {
    super(message);
    this.code = code;
    this.begin = begin;
  }
}

export function parseQuery(text: string, present: Present): SliceQuery {
  const [first = [], second, ...further] = segmentsOf(text);
  const [command, ...words] = first;
  if (!command) throw new QueryMistake(90003, 'a command is expected between pipes', { begin: 0 });
  if (command.text !== 'table') throw notYet(command);
  const options = new Map<string, Word>();
  const objects = words.filter((word) => !isOption(word, options));
  const [table, extra] = objects;
  if (!table) throw new QueryMistake(99000, 'too few arguments; expected: table', command);
  if (extra) throw new QueryMistake(90012, 'unexpected text after the command', extra);
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(table.text)) throw notYet(table);
  if (second) requireCount(second);
  if (further[0]?.[0]) throw notYet(further[0][0]);
  return { table, ...chosen(options, present), isCount: second !== undefined };
}

/** Line and column of a position, both from 1. */
export function placeOf(text: string, begin: number): { line: number; column: number } {
  const lines = text.slice(0, begin).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

export const notYet = (word: Word) => new QueryMistake(92003, `${word.text} is not available yet`, word);

function segmentsOf(text: string): Word[][] {
  const segments: Word[][] = [[]];
  for (const { 0: found, index: begin } of text.matchAll(/\||(?:[^\s"|]|"(?:\\.|[^"\\])*")+|"/g)) {
    if (found === '"') throw new QueryMistake(90004, 'string is not closed', { begin });
    if (found !== '|') segments.at(-1)?.push({ text: found, begin });
    else segments.push([]);
  }
  if (segments.length > 1 && segments.some((words) => words.length === 0)) {
    throw new QueryMistake(90003, 'a command is expected between pipes', { begin: 0 });
  }
  return segments;
}

const OPTIONS = ['duration', 'from', 'to', 'order', 'offset', 'limit'];

function isOption(word: Word, options: Map<string, Word>): boolean {
  const equals = word.text.indexOf('=');
  if (equals <= 0) return false;
  const name = word.text.slice(0, equals);
  if (!OPTIONS.includes(name)) throw new QueryMistake(90001, `table has no option ${name}`, word);
  if (options.has(name)) throw new QueryMistake(90007, `option ${name} is given twice`, word);
  options.set(name, { text: word.text.slice(equals + 1), begin: word.begin + equals + 1 });
  return true;
}

function chosen(options: ReadonlyMap<string, Word>, present: Present) {
  const order = options.get('order');
  if (order && order.text !== 'desc' && order.text !== 'asc') {
    throw new QueryMistake(90008, `option order cannot be ${order.text}: desc or asc`, order);
  }
  return {
    range: rangeOf(options, present),
    order: order?.text === 'asc' ? ('asc' as const) : ('desc' as const),
    offset: wholeNumber(options.get('offset')) ?? 0,
    limit: wholeNumber(options.get('limit')) ?? Number.MAX_SAFE_INTEGER,
  };
}

function rangeOf(options: ReadonlyMap<string, Word>, present: Present): TimeRange {
  const [duration, from, to] = ['duration', 'from', 'to'].map((name) => options.get(name));
  const bound = from ?? to;
  if (duration && bound) throw new QueryMistake(10003, 'duration, from/to and window exclude each other', bound);
  if (duration) {
    const begin = required(momentAfter(present, duration.text), duration);
    return { from: begin, to: present.now.epochMilliseconds };
  }
  const range = {
    ...(from ? { from: required(momentOf(from.text, present.zone), from) } : {}),
    ...(to ? { to: required(momentOf(to.text, present.zone), to) } : {}),
  };
  if (range.from !== undefined && range.to !== undefined && range.from >= range.to) {
    throw new QueryMistake(10004, 'from must be before to', from ?? { begin: 0 });
  }
  return range;
}

function required(moment: number | undefined, word: Word): number {
  if (moment === undefined) throw new QueryMistake(90010, `${word.text} cannot be used as time or duration`, word);
  return moment;
}

function wholeNumber(word: Word | undefined): number | undefined {
  if (!word) return undefined;
  if (!/^\d+$/.test(word.text)) throw new QueryMistake(10006, 'expected a whole number not below 0', word);
  return Math.min(Number(word.text), Number.MAX_SAFE_INTEGER);
}

function requireCount([command, aggregate, extra]: readonly Word[]): void {
  if (command?.text !== 'stats') throw notYet(command ?? { text: 'stats', begin: 0 });
  if (!aggregate) throw new QueryMistake(22000, 'expected: aggregate', command);
  if (aggregate.text !== 'count') throw notYet(aggregate);
  if (extra) throw notYet(extra);
}
