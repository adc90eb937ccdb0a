// The colours of a query text.

import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { highlighting } from './highlighting.ts';

/** The parts of a text that have a colour, each with its kind. */
function coloured(text: string): readonly string[] {
  const state = EditorState.create({ doc: text, extensions: highlighting });
  const parts: string[] = [];
  ensureSyntaxTree(state, text.length, 5000)?.iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'Document') parts.push(`${name} ${text.slice(from, to)}`);
    },
  });
  return parts;
}

describe('A query text', () => {
  it.each([
    ['', []],
    ['table web', ['keyword table', 'field web']],
    ['table order=asc web', ['keyword table', 'attributeName order', 'operator =', 'field asc', 'field web']],
    ['| search a == 1.5e3', ['operator |', 'keyword search', 'field a', 'operator ==', 'number 1.5e3']],
    [
      'x lower(상태) and null',
      ['keyword x', 'function lower', 'operator (', 'field 상태', 'operator )', 'logical and', 'constant null'],
    ],
    ['x "a | \\" b" ｜ limit 1', ['keyword x', 'string "a | \\" b"', 'operator ｜', 'keyword limit', 'number 1']],
    ['x “a | b" [ table y ]', ['keyword x', 'string “a | b"', 'operator [', 'keyword table', 'field y', 'operator ]']],
    ['# note and "x" | limit 1', ['comment # note and "x" ', 'operator |', 'keyword limit', 'number 1']],
    ['table web | # a\nb', ['keyword table', 'field web', 'operator |', 'comment # a', 'comment b']],
    // A string goes on in the next line, and an open one reaches to the end.
    ['x "a\nb" y', ['keyword x', 'string "a', 'string b"', 'field y']],
    ['x "a', ['keyword x', 'string "a']],
    ['x 5m a.b:c @k', ['keyword x', 'field 5m', 'field a.b:c', 'field @k']],
    ['x a = b', ['keyword x', 'field a', 'operator =', 'field b']],
  ])('%j', (text, parts) => {
    expect(coloured(text)).toEqual(parts);
  });
});
