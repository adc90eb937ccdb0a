// Escapes and character classes of RE2's syntax: the position where each ends, or the error in it.

import type { TermCode } from './messages.ts';
import type { QueryError } from './query-error.ts';

export type Fault = (detail: TermCode, begin: number, end: number) => QueryError;

const PERL = 'dDsSwW';
const SIMPLE = /\\(?:[dDsSwWbBAzaftnrv]|[0-7]{1,3}|x[0-9A-Fa-f]{2}|[^A-Za-z0-9\u0080-\uffff])/y;
const CODE_POINT = /\\x\{([0-9A-Fa-f]{1,8})\}/y;
const PROPERTY = /\\[pP](?:\{\^?([A-Za-z_]*)\}|([A-Za-z]))/y;
const POSIX = /\[:\^?([a-z]*):\]/y;

const POSIX_NAMES = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);
const CATEGORIES = new Set(
  'Any C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs'.split(' '),
);

/** The position after the escape that begins at `at`. */
export function escapeEnd(text: string, at: number, fault: Fault): number {
  if (at + 1 >= text.length) throw fault('trailing-backslash', at, at + 1);
  const simple = matchAt(SIMPLE, text, at)?.[0];
  if (simple !== undefined) return at + simple.length;
  const codePoint = matchAt(CODE_POINT, text, at);
  if (codePoint && Number.parseInt(codePoint[1] ?? '', 16) <= 0x10ffff) return at + codePoint[0].length;
  const property = matchAt(PROPERTY, text, at);
  if (property) {
    const end = at + property[0].length;
    if (!isProperty(property[1] ?? property[2] ?? '')) throw fault('bad-class', at, end);
    return end;
  }
  throw fault('bad-escape', at, at + 2);
}

/** The position after the `]` of the class whose `[` is at `at`. */
export function classEnd(text: string, at: number, fault: Fault): number {
  let next = text.charAt(at + 1) === '^' ? at + 2 : at + 1;
  for (let isFirst = true; isFirst || text.charAt(next) !== ']'; isFirst = false) {
    if (next >= text.length) throw fault('missing-bracket', at, at + 1);
    next = itemEnd(text, next, fault);
  }
  return next + 1;
}

function itemEnd(text: string, at: number, fault: Fault): number {
  const posix = matchAt(POSIX, text, at);
  if (posix) {
    const end = at + posix[0].length;
    if (!POSIX_NAMES.has(posix[1] ?? '')) throw fault('bad-class', at, end);
    return end;
  }
  const end = characterEnd(text, at, fault);
  if (isSet(text, at) || text.charAt(end) !== '-' || text.charAt(end + 1) === ']' || end + 1 >= text.length) return end;
  const rangeEnd = characterEnd(text, end + 1, fault);
  const isBackwards = codeOf(text.slice(at, end)) > codeOf(text.slice(end + 1, rangeEnd));
  if (isBackwards || isSet(text, end + 1)) throw fault('bad-range', at, rangeEnd);
  return rangeEnd;
}

function characterEnd(text: string, at: number, fault: Fault): number {
  if (text.charAt(at) !== '\\') return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  if ('bBAzC'.includes(text.charAt(at + 1)) && at + 1 < text.length) throw fault('bad-escape', at, at + 2);
  return escapeEnd(text, at, fault);
}

/** True for `\d` and `\pL`, which match many characters and cannot begin or end a range. */
function isSet(text: string, at: number): boolean {
  const next = text.charAt(at + 1);
  return text.charAt(at) === '\\' && (PERL.includes(next) || next === 'p' || next === 'P') && next !== '';
}

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

function codeOf(character: string): number {
  if (!character.startsWith('\\')) return character.codePointAt(0) ?? 0;
  const letters = character.slice(1);
  if (letters.startsWith('x')) return Number.parseInt(letters.replace(/[x{}]/g, ''), 16);
  if (/^[0-7]/.test(letters)) return Number.parseInt(letters, 8);
  return CONTROLS[letters] ?? letters.codePointAt(0) ?? 0;
}

function isProperty(name: string): boolean {
  if (CATEGORIES.has(name)) return true;
  if (!/^[A-Z][a-z]+(?:_[A-Z][a-z]+)*$/.test(name)) return false;
  try {
    return new RegExp(`\\p{Script=${name}}`, 'u').source !== '';
  } catch {
    return false;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
