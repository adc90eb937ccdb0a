// Colours of a query text: commands, options, functions, fields, values, comments.

import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

interface Reading {
  /** Whether the next word is a command. */
  isAtStart: boolean;
  /** The quotes that may close the open string; empty outside of strings. */
  closing: string;
  isInComment: boolean;
}

const WORDS = new Set(['and', 'or', 'by', 'as', 'output', 'from', 'rows', 'cols', 'for']);
const CONSTANTS = new Set(['true', 'false', 'null']);
const TYPOGRAPHIC = '"“”„＂';

function token(stream: StringStream, state: Reading): string | null {
  if (state.closing !== '') return inString(stream, state);
  if (stream.eatSpace()) return null;
  const next = stream.peek() ?? '';
  if ('|｜[［'.includes(next)) {
    stream.next();
    Object.assign(state, { isAtStart: true, isInComment: false });
    return 'operator';
  }
  if (state.isInComment || (state.isAtStart && next === '#')) {
    state.isInComment = true;
    stream.eatWhile(/[^|｜]/);
    return 'comment';
  }
  if (TYPOGRAPHIC.includes(next)) {
    stream.next();
    state.closing = next === '"' ? '"' : TYPOGRAPHIC;
    return inString(stream, state);
  }
  return word(stream, state);
}

function inString(stream: StringStream, state: Reading): string {
  while (!stream.eol()) {
    const character = stream.next() ?? '';
    if (character === '\\') stream.next();
    else if (state.closing.includes(character)) {
      state.closing = '';
      return 'string';
    }
  }
  return 'string';
}

function word(stream: StringStream, state: Reading): string | null {
  const wasAtStart = state.isAtStart;
  state.isAtStart = false;
  if (stream.match(/^\d+(\.\d+)?([eE][+-]?\d+)?(?![\p{L}\p{Nd}_@:])/u)) return 'number';
  const found = stream.match(/^[\p{L}\p{Nd}_@][\p{L}\p{Nd}\p{M}_@.:-]*/u, false);
  if (!found) {
    stream.next();
    return 'operator';
  }
  if (wasAtStart) {
    stream.match(/^[\p{L}\p{Nd}_-]+/u);
    return 'keyword';
  }
  const [name = ''] = (stream.match(/^[\p{L}\p{Nd}_@][\p{L}\p{Nd}\p{M}_@.:]*/u) as RegExpMatchArray | null) ?? [];
  if (stream.peek() === '(') return 'function';
  if (/^=(?!=)/.test(stream.string.slice(stream.pos)) && /^\S*=\S/.test(stream.string.slice(stream.start)))
    return 'attributeName';
  if (WORDS.has(name)) return 'logical';
  return CONSTANTS.has(name) ? 'constant' : 'field';
}

const language = StreamLanguage.define<Reading>({
  name: 'vigil',
  startState: () => ({ isAtStart: true, closing: '', isInComment: false }),
  copyState: (state) => ({ ...state }),
  token,
  languageData: { closeBrackets: { brackets: ['(', '[', '"'] } },
  tokenTable: {
    logical: tags.operatorKeyword,
    field: tags.propertyName,
    function: tags.function(tags.variableName),
    constant: tags.bool,
  },
});

const style = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.operatorKeyword, color: 'var(--accent)' },
  { tag: tags.function(tags.variableName), color: 'var(--series-4)' },
  { tag: tags.attributeName, color: 'var(--series-2)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool], color: 'var(--medium)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.operator, color: 'var(--muted)' },
]);

export const highlighting = [language, syntaxHighlighting(style)];
