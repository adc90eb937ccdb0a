// The editor of a typed text of one or more lines: the effect of each key. Pure: a state in, a state out.

import type { KeyName } from './keys.ts';

export interface Edited {
  readonly text: string;
  /** In UTF-16 units; never inside a grapheme. */
  readonly cursor: number;
  /** The text cut last, for put-back. */
  readonly cut: string;
}

export const EMPTY: Edited = { text: '', cursor: 0, cut: '' };

/** The cursor is at the end. */
export const holding = (state: Edited, text: string): Edited => ({ ...state, text, cursor: text.length });

export function inserted(state: Edited, text: string): Edited {
  const { cursor } = state;
  return {
    ...state,
    text: state.text.slice(0, cursor) + text + state.text.slice(cursor),
    cursor: cursor + text.length,
  };
}

/** Replaces the text between two positions. */
export function replaced(state: Edited, span: { begin: number; end: number }, text: string): Edited {
  const whole = state.text.slice(0, span.begin) + text + state.text.slice(span.end);
  return { ...state, text: whole, cursor: span.begin + text.length };
}

/** Undefined for a key without an effect, such as `up` on the first line and `down` on the last. */
export function edited(state: Edited, key: KeyName): Edited | undefined {
  return Object.hasOwn(EDITS, key) ? EDITS[key]?.(state) : undefined;
}

const EDITS: Partial<Record<KeyName, (state: Edited) => Edited | undefined>> = {
  'new-line': (state) => inserted(state, '\n'),
  backspace: (state) => without(state, before(state), state.cursor),
  delete: (state) => without(state, state.cursor, after(state)),
  left: (state) => ({ ...state, cursor: before(state) }),
  right: (state) => ({ ...state, cursor: after(state) }),
  'word-left': (state) => ({ ...state, cursor: wordBegin(state) }),
  'word-right': (state) => ({ ...state, cursor: wordEnd(state) }),
  home: (state) => ({ ...state, cursor: lineBegin(state.text, state.cursor) }),
  end: (state) => ({ ...state, cursor: lineEnd(state.text, state.cursor) }),
  first: (state) => ({ ...state, cursor: 0 }),
  last: (state) => ({ ...state, cursor: state.text.length }),
  'cut-before': (state) => taken(state, lineBegin(state.text, state.cursor), state.cursor),
  'cut-after': (state) => taken(state, state.cursor, cutEnd(state)),
  'cut-word': (state) => taken(state, wordBegin(state), state.cursor),
  'cut-word-after': (state) => taken(state, state.cursor, wordEnd(state)),
  'put-back': (state) => inserted(state, state.cut),
  up: (state) => lineUp(state),
  down: (state) => lineDown(state),
};

const without = (state: Edited, begin: number, end: number): Edited => replaced(state, { begin, end }, '');

const taken = (state: Edited, begin: number, end: number): Edited =>
  begin === end ? state : { ...without(state, begin, end), cut: state.text.slice(begin, end) };

/** To the end of the line; at its end the line end itself. */
function cutEnd(state: Edited): number {
  const end = lineEnd(state.text, state.cursor);
  return end === state.cursor ? after(state) : end;
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Longer than any grapheme, so that a long text is not segmented for one. */
const NEAR = 256;

function before({ text, cursor }: Edited): number {
  const near = text.slice(Math.max(0, cursor - NEAR), cursor);
  const last = [...letters.segment(near)].at(-1);
  return cursor - (last?.segment.length ?? 0);
}

function after({ text, cursor }: Edited): number {
  const [first] = letters.segment(text.slice(cursor, cursor + NEAR));
  return cursor + (first?.segment.length ?? 0);
}

const IN_WORD = /[\p{L}\p{Nd}\p{M}_@.]/u;

function wordBegin({ text, cursor }: Edited): number {
  let at = cursor;
  while (at > 0 && !IN_WORD.test(text.charAt(at - 1))) at -= 1;
  while (at > 0 && IN_WORD.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function wordEnd({ text, cursor }: Edited): number {
  let at = cursor;
  while (at < text.length && !IN_WORD.test(text.charAt(at))) at += 1;
  while (at < text.length && IN_WORD.test(text.charAt(at))) at += 1;
  return at;
}

const lineBegin = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

function lineUp(state: Edited): Edited | undefined {
  const begin = lineBegin(state.text, state.cursor);
  return begin === 0 ? undefined : inLine(state, lineBegin(state.text, begin - 1), state.cursor - begin);
}

function lineDown(state: Edited): Edited | undefined {
  const end = lineEnd(state.text, state.cursor);
  if (end === state.text.length) return undefined;
  return inLine(state, end + 1, state.cursor - lineBegin(state.text, state.cursor));
}

/** So far from the beginning of a line, or at its end where it is shorter. */
function inLine(state: Edited, begin: number, offset: number): Edited {
  const line = state.text.slice(begin, lineEnd(state.text, begin));
  let cursor = begin;
  for (const { segment } of letters.segment(line)) {
    if (cursor - begin + segment.length > offset) break;
    cursor += segment.length;
  }
  return { ...state, cursor };
}
