// Names of procedures in query text (7.1 `proc`): everything up to the parenthesis, or a string for any other name.

import { QueryError } from '#query/model/query-error.ts';
import { quoted, unescaped } from './strings.ts';
import type { Name, Words } from './words.ts';

const BARE = /[\p{L}\p{Nd}\p{M}_.-]+/uy;
const WHOLE = /^[\p{L}\p{Nd}\p{M}_.-]+$/u;
/** `field("…")` stood for a name that is no identifier before names could be strings. */
const FORMER = /field[ \t\r\n]*\([ \t\r\n]*"/y;
const UP_TO_PARENTHESIS = /[^(]+/y;

const MAX_NAME = 255;
const UNWRITABLE = /[\p{Cc}"“”„＂\\]/u;

/** Whether some query can call a procedure of this name. */
export const isCallable = (name: string): boolean => [...name.trim()].length <= MAX_NAME && !UNWRITABLE.test(name);

export const procedureText = (name: string): string => (WHOLE.test(name) ? name : quoted(name));

/** The name of a call; its arguments must follow. */
export function takeProcedureName(words: Words): Name {
  const begin = words.at;
  const name = takeString(words) ?? takeFormerName(words) ?? takeBareName(words);
  if (words.here === '(') return name;
  if (words.isDone) throw words.tooFew({ term: 'procedure-call' });
  const token = words.token();
  const whole = words.text.slice(begin, words.at) + (words.match(UP_TO_PARENTHESIS) ?? '');
  const hints = [{ code: 91039 as const, values: { name: whole.slice(0, MAX_NAME).trim() } }];
  throw new QueryError(90201, token, { token: token.text }, { hints });
}

function takeString(words: Words): Name | undefined {
  const token = words.takeString();
  return token && { text: unescaped(token).text.trim(), begin: token.begin, end: token.end };
}

function takeFormerName(words: Words): Name | undefined {
  const begin = words.at;
  if (words.match(FORMER) === undefined) return undefined;
  const name = words.takeOperandName([], () => words.tooFew({ term: 'procedure-call' }));
  if (words.here === '(') return name;
  words.moveTo(begin);
  return undefined;
}

function takeBareName(words: Words): Name {
  const text = words.match(BARE);
  if (!text) throw words.tooFew({ term: 'procedure-call' });
  const begin = words.at;
  words.moveTo(begin + text.length);
  return { text: text.normalize(), begin, end: begin + text.length };
}
