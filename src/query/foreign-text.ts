// Texts of other languages as this one writes them (14.6): conditions of SQL and KQL, statements of SQL, selectors of LogQL, and
// plain words. What comes out may still be wrong here; the hints that offer it read it first.

import { isAggregateName } from './functions/index.ts';
import { quoted } from './language/strings.ts';

/** Undefined for a text that is no condition of those languages either. */
export function conditionFrom(text: string): string | undefined {
  const reader = new ConditionReader([...text.matchAll(TOKEN)].map(([token]) => token));
  const condition = reader.condition();
  return reader.isDone ? condition : undefined;
}

const TOKEN =
  /"(?:\\.|[^"\\])*"|'(?:[^'\\]|\\.|'')*'|[\p{L}_@][\p{L}\p{Nd}\p{M}_@.:]*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|<>|[=!<>]=|&&|\|\||[^\s]/gu;
const NAME = /^[\p{L}_@]/u;
const COMPARISONS: Readonly<Record<string, string>> = {
  '=': '==',
  '==': '==',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
const CONNECTIVES = ['and', 'or', 'not', 'in', 'is', 'like', 'between', 'contains', 'has', 'startswith', 'endswith'];

/** A string of another language, between its quotes, as a STRING here has it. */
function rawOf(token = ''): string {
  if (token.startsWith('"')) return token.slice(1, -1);
  return quoted(token.slice(1, -1).replaceAll("''", "'").replaceAll("\\'", "'")).slice(1, -1);
}

const isText = (token = ''): boolean => /^["']/.test(token);

/** Reads what can be read; `isDone` says whether that was all. */
class ConditionReader {
  readonly #tokens: readonly string[];
  #at = 0;
  #isWrong = false;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isDone(): boolean {
    return !this.#isWrong && this.#tokens.length > 0 && this.#at === this.#tokens.length;
  }

  condition(): string {
    return this.#joined('or', '||', () => this.#joined('and', '&&', () => this.#negated()));
  }

  #joined(word: string, sign: string, side: () => string): string {
    const sides = [side()];
    while (this.#takeWord(word) || this.#take(sign)) sides.push(side());
    return sides.join(` ${word} `);
  }

  #negated(): string {
    return this.#takeWord('not') ? `not(${this.#negated()})` : this.#test();
  }

  #test(): string {
    const from = this.#at;
    if (this.#take('(')) {
      const inner = this.condition();
      if (this.#take(')') && !this.#goesOn()) return `(${inner})`;
      this.#at = from;
      this.#isWrong = false;
    }
    const left = this.#operand();
    const [sign] = Object.keys(COMPARISONS).filter((one) => one === this.#here);
    if (sign !== undefined && this.#take(sign)) return `${left} ${COMPARISONS[sign]} ${this.#operand()}`;
    return this.#wordTest(left);
  }

  /** Whether an operand continues behind a parenthesis. */
  #goesOn(): boolean {
    return /^[-+*/=<>!]/.test(this.#here ?? '') && this.#here !== undefined;
  }

  #wordTest(left: string): string {
    if (this.#takeWord('is')) return `${this.#takeWord('not') ? 'isnotnull' : 'isnull'}(${this.#nullAfter(left)})`;
    if (this.#takeWord('not')) {
      if (this.#takeWord('in')) return `not(${this.#list(left)})`;
      if (this.#takeWord('like')) return `not(${left} == ${this.#like()})`;
      return this.#wrong();
    }
    if (this.#takeWord('in')) return this.#list(left);
    if (this.#takeWord('like')) return `${left} == ${this.#like()}`;
    if (this.#takeWord('contains') || this.#takeWord('has')) return `contains(${left}, ${this.#operand()})`;
    if (this.#takeWord('startswith')) return `${left} == "${this.#raw()}*"`;
    if (this.#takeWord('endswith')) return `${left} == "*${this.#raw()}"`;
    if (!this.#takeWord('between')) return left;
    const low = this.#operand();
    if (!this.#takeWord('and')) return this.#wrong();
    return `(${left} >= ${low} and ${left} <= ${this.#operand()})`;
  }

  #nullAfter(left: string): string {
    return this.#takeWord('null') ? left : this.#wrong();
  }

  #list(left: string): string {
    if (!this.#take('(')) return this.#wrong();
    return `in(${[left, ...this.#operands()].join(', ')})`;
  }

  #like(): string {
    return `"${this.#raw().replaceAll('*', '\\*').replaceAll('%', '*')}"`;
  }

  #raw(): string {
    const token = this.#next();
    return isText(token) ? rawOf(token) : this.#wrong();
  }

  /** Up to the closing parenthesis. */
  #operands(): string[] {
    const operands: string[] = [];
    do operands.push(this.#operand());
    while (this.#take(','));
    if (!this.#take(')')) this.#wrong();
    return operands;
  }

  #operand(): string {
    const parts = [this.#factor()];
    while (/^[-+*/]$/.test(this.#here ?? '')) parts.push(this.#next() ?? '', this.#factor());
    return parts.join(' ');
  }

  #factor(): string {
    const token = this.#next();
    if (isText(token)) return `"${rawOf(token)}"`;
    if (token === '-') return `-${this.#factor()}`;
    if (token === '(') {
      const inner = this.#operand();
      return this.#take(')') ? `(${inner})` : this.#wrong();
    }
    if (token === undefined || !/^[\p{L}\p{Nd}_@]/u.test(token)) return this.#wrong();
    const word = token.toLowerCase();
    if (CONNECTIVES.includes(word)) return this.#wrong();
    if (['true', 'false', 'null'].includes(word)) return word;
    if (!NAME.test(token) || !this.#take('(')) return token;
    return this.#take(')') ? `${token}()` : `${token}(${this.#operands().join(', ')})`;
  }

  get #here(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string | undefined {
    const token = this.#here;
    this.#at += 1;
    return token;
  }

  #take(sign: string): boolean {
    if (this.#here !== sign) return false;
    this.#at += 1;
    return true;
  }

  #takeWord(word: string): boolean {
    if (this.#here?.toLowerCase() !== word) return false;
    this.#at += 1;
    return true;
  }

  #wrong(): string {
    this.#isWrong = true;
    return '';
  }
}

const LISTED = '[^,()]+(?:\\([^()]*\\)[^,()]*)?';
/** Words and what is between them. Blanks and other characters take turns, so that a text which does not fit is given up soon. */
const WORDS = '\\S+(?:\\s+\\S+)*?';
const STATEMENT = new RegExp(
  `^select\\s+(?<list>${WORDS})\\s+from\\s+(?<table>[^\\s,();]+)(?:\\s+where\\s+(?<condition>${WORDS}))?` +
    `(?:\\s+group\\s+by\\s+(?<group>${WORDS}))?(?:\\s+order\\s+by\\s+(?<order>${WORDS}))?(?:\\s+limit\\s+(?<limit>\\d+))?$`,
  'isu',
);

/** A statement of SQL over one table; undefined for any other. */
export function statementFrom(text: string): string | undefined {
  const statement = text.trim().replace(/;$/, '').trimEnd();
  const [, alone] = /^from\s+([^\s,();]+)$/iu.exec(statement) ?? [];
  if (alone !== undefined) return `table ${alone}`;
  const { groups } = STATEMENT.exec(statement) ?? {};
  if (!groups) return undefined;
  const { list = '', table, condition, group, order, limit } = groups;
  const by = group?.split(',').map((name) => name.trim()) ?? [];
  const columns = columnsFrom(list, by);
  const where = condition === undefined ? '' : conditionFrom(condition);
  const sorted = order === undefined ? '' : keysFrom(order);
  if (!columns || where === undefined || sorted === undefined) return undefined;
  const parts = [`table ${table}`, where && `search ${where}`, columns.stats, sorted && `sort ${sorted}`];
  return [...parts, limit === undefined ? '' : `limit ${limit}`, columns.fields].filter((part) => part).join(' | ');
}

/** Aggregates make rows; names alone choose columns. */
function columnsFrom(list: string, by: readonly string[]): { stats: string; fields: string } | undefined {
  const items = [...list.matchAll(new RegExp(LISTED, 'gu'))].map(([item]) => item.trim());
  const aggregates = items.flatMap((item) => aggregateFrom(item) ?? []);
  const names = items.filter((item) => aggregateFrom(item) === undefined);
  if (aggregates.length > 0) {
    if (!names.every((name) => by.includes(name))) return undefined;
    return { stats: `stats ${aggregates.join(', ')}${by.length > 0 ? ` by ${by.join(', ')}` : ''}`, fields: '' };
  }
  if (by.length > 0 || !names.every((name) => name === '*' || /^[^\s*]+$/.test(name))) return undefined;
  return { stats: '', fields: names.includes('*') ? '' : `fields ${names.join(', ')}` };
}

function aggregateFrom(item: string): string | undefined {
  const [, name = '', inner = '', output] = /^(\w+)\s*\((.*)\)(?:\s+as\s+(\S+))?$/isu.exec(item) ?? [];
  const called = name.toLowerCase();
  if (!isAggregateName(called)) return undefined;
  const [, distinct] = /^distinct\s+(.+)$/isu.exec(inner.trim()) ?? [];
  const call = distinct === undefined ? `${called}(${inner.trim()})` : `dc(${distinct})`;
  return output === undefined ? call : `${call} as ${output}`;
}

function keysFrom(order: string): string | undefined {
  const keys: string[] = [];
  for (const key of order.split(',')) {
    const [, name, direction = 'asc'] = /^(\S+)(?:\s+(asc|desc))?$/iu.exec(key.trim()) ?? [];
    if (name === undefined) return undefined;
    keys.push(direction.toLowerCase() === 'desc' ? `-${name}` : name);
  }
  return keys.join(', ');
}

const SELECTOR = /^\{([^{}]*)\}((?:\s*(?:\|=|!=|\|~|!~)\s*"(?:\\.|[^"\\])*")*)/u;
const LABEL = /^\s*([\p{L}_][\p{L}\p{Nd}_.:]*)\s*(=~|!~|!=|=)\s*("(?:\\.|[^"\\])*")\s*$/u;
const LINE_FILTER = /(\|=|!=|\|~|!~)\s*("(?:\\.|[^"\\])*")/gu;

/** A selector of LogQL with its line filters, and how long it is. */
export function selectorFrom(text: string): { readonly query: string; readonly length: number } | undefined {
  const [whole, labels = '', filters = ''] = SELECTOR.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const tests = [...labels.matchAll(/(?:"(?:\\.|[^"\\])*"|[^,"])+/gu)].map(([label]) => LABEL.exec(label));
  if (tests.length === 0 || tests.includes(null)) return undefined;
  const conditions = [
    ...tests.map((test) => labelTest(test?.[1] ?? '', test?.[2] ?? '', test?.[3] ?? '')),
    ...[...filters.matchAll(LINE_FILTER)].map(([, sign = '', pattern = '']) => lineTest(sign, pattern)),
  ];
  return { query: `table * | search ${conditions.join(' and ')}`, length: whole.length };
}

function labelTest(name: string, sign: string, value: string): string {
  if (sign === '=~') return `match(${name}, ${value})`;
  if (sign === '!~') return `not(match(${name}, ${value}))`;
  return `${name} ${sign === '=' ? '==' : '!='} ${value.replaceAll('*', '\\*')}`;
}

function lineTest(sign: string, pattern: string): string {
  const test = `${sign.endsWith('~') ? 'match' : 'contains'}(line, ${pattern})`;
  return sign.startsWith('|') ? test : `not(${test})`;
}

type PlainPart =
  | { readonly kind: 'mark'; readonly text: 'and' | 'or' | 'not' | '(' | ')' }
  | { readonly kind: 'pair'; readonly name: string; readonly value: string; readonly text: string }
  | { readonly kind: 'term'; readonly text: string };

const PLAIN =
  /([\p{L}\p{Nd}_@][\p{L}\p{Nd}\p{M}_@.:]*)\s*(==|!=|<=|>=|=|<|>)\s*("(?:\\.|[^"\\])*"|'[^']*'|[^\s()]+)|([()])|("(?:\\.|[^"\\])*"|'[^']*')|([^\s()]+)/gu;
const TABLE_PAIRS = ['index', 'source', 'sourcetype', 'table', '_table'];

/** Words, pairs and operators as a search; `fits` tells whether a name is that of a readable table, or fits one. */
export function plainQuery(text: string, fits: (name: string) => boolean): string | undefined {
  const word = text.trim();
  if (/^[^\s()"'=<>!]+$/u.test(word) && fits(word)) return `table ${word}`;
  const parts = [...text.matchAll(PLAIN)].flatMap((found) => partOf(found) ?? []);
  const spec = parts.find((part) => part.kind === 'pair' && TABLE_PAIRS.includes(part.name) && fits(part.value));
  const table = spec?.kind === 'pair' ? spec.value : undefined;
  const sought = joinedParts(spec ? withoutPart(parts, parts.indexOf(spec)) : parts);
  if (sought.length === 0) return table === undefined ? undefined : `table ${table}`;
  const isCondition = sought.every(({ kind }) => kind !== 'term');
  const written = sought.map((part) => part.text).join(' ');
  if (isCondition) return `table ${table ?? '*'} | search ${conditionFrom(written) ?? ''}`;
  return `fulltext ${written}${table === undefined ? '' : ` from ${table}`}`;
}

/** Whether a text is written as pairs or terms begin: its first word is the name of a pair. */
export const beginsWithPair = (text: string): boolean => {
  PLAIN.lastIndex = 0;
  const [found] = text.matchAll(PLAIN);
  return found?.index === 0 && found[1] !== undefined;
};

function partOf([, name, sign = '', value = '', mark, inQuotes, run]: RegExpExecArray): PlainPart | undefined {
  if (name !== undefined) {
    const bare = /^["']/.test(value) ? undefined : value;
    const isTyped = bare !== undefined && /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(bare);
    const written = isTyped ? value : bare === undefined ? `"${rawOf(value)}"` : quoted(bare);
    return {
      kind: 'pair',
      name,
      value: bare ?? value.slice(1, -1),
      text: `${name} ${sign === '=' ? '==' : sign} ${written}`,
    };
  }
  if (mark === '(' || mark === ')') return { kind: 'mark', text: mark };
  const connective = run?.toLowerCase();
  if (connective === 'and' || connective === 'or' || connective === 'not') return { kind: 'mark', text: connective };
  const raw = inQuotes === undefined ? quoted(run ?? '').slice(1, -1) : rawOf(inQuotes);
  const term = raw.replace(/(?<=.)\*(?=.)/gu, ' ');
  return term === '*' || /[\p{L}\p{Nd}]/u.test(term) ? { kind: 'term', text: `"${term}"` } : undefined;
}

/** Without the `and` beside it. */
function withoutPart(parts: readonly PlainPart[], at: number): readonly PlainPart[] {
  const isAnd = (index: number) => parts[index]?.text === 'and';
  const from = !isAnd(at + 1) && isAnd(at - 1) ? at - 1 : at;
  return [...parts.slice(0, from), ...parts.slice(isAnd(at + 1) ? at + 2 : at + 1)];
}

/** Parts with `and` between those that have nothing between them; without all marks where one lacks a side or its partner. */
function joinedParts(parts: readonly PlainPart[]): readonly PlainPart[] {
  const joined = withAnd(parts);
  return isWhole(joined) ? joined : withAnd(parts.filter(({ kind }) => kind !== 'mark'));
}

const AND = { kind: 'mark', text: 'and' } as const;
const isOpening = (part: PlainPart | undefined) => part?.kind !== 'mark' || part.text === '(' || part.text === 'not';
const isClosing = (part: PlainPart | undefined) => part?.kind !== 'mark' || part.text === ')';

const withAnd = (parts: readonly PlainPart[]): readonly PlainPart[] =>
  parts.flatMap((part, index) => (index > 0 && isClosing(parts[index - 1]) && isOpening(part) ? [AND, part] : [part]));

function isWhole(parts: readonly PlainPart[]): boolean {
  let depth = 0;
  for (const [index, part] of parts.entries()) {
    if (part.text === '(' && part.kind === 'mark') depth += 1;
    if (part.text === ')' && part.kind === 'mark') depth -= 1;
    const next = parts[index + 1];
    const needsOperand = part.kind === 'mark' && part.text !== ')';
    if (depth < 0 || (needsOperand && (!next || !isOpening(next)))) return false;
    if (index === 0 && part.kind === 'mark' && !isOpening(part)) return false;
  }
  return depth === 0;
}
