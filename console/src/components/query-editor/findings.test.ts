// Mistakes, warnings and hints of a text, as the editor marks them.

import { describe, expect, it } from 'vitest';
import { diagnosticsOf, excerptOf, type Finding, findingsBehind } from './findings.ts';

const finding = (fields: Partial<Finding>): Finding => ({
  code: 10001,
  message: 'unknown',
  begin: 12,
  end: 18,
  line: 1,
  column: 13,
  suggestion: null,
  suggestions: [],
  ...fields,
});
const hint = (fields: object) => ({ of: 10001, message: 'a hint', begin: 12, end: 18, replacement: null, ...fields });
const marks = (findings: object, length = 100) =>
  diagnosticsOf({ mistakes: [], warnings: [], hints: [], ...findings }, length, (text) => `Replace with ${text}`);

describe('Findings of a text', () => {
  it('stand behind the pipeline that it continues, those before it at its beginning', () => {
    const mistakes = [finding({}), finding({ begin: 2 }), finding({ begin: 1, end: 4 })];
    const moved = findingsBehind({ mistakes, warnings: [finding({})], hints: [] }, 10);
    expect(moved.mistakes.map(({ begin, end }) => [begin, end])).toEqual([
      [2, 8],
      [0, 8],
      [0, 0],
    ]);
    expect(moved.warnings.map(({ begin }) => begin)).toEqual([2]);
  });

  it('are marked in the order of the text, as errors and warnings', () => {
    const found = marks({ mistakes: [finding({ begin: 30, end: 31 })], warnings: [finding({ begin: 5, end: 6 })] });
    expect(found.map(({ from, to, severity }) => [from, to, severity])).toEqual([
      [5, 6, 'warning'],
      [30, 31, 'error'],
    ]);
  });

  it('stay inside of a text that has become shorter', () => {
    expect(marks({ mistakes: [finding({})] }, 5)).toMatchObject([{ from: 5, to: 5 }]);
  });

  it('have their code, their own hints, and each replacement once', () => {
    const [mark] = marks({
      mistakes: [finding({ suggestions: ['search', 'sort'] })],
      hints: [hint({ replacement: 'search' }), hint({ message: 'of another place', begin: 14 }), hint({ of: 5 })],
    });
    expect(mark?.message).toBe('unknown (10001)\na hint');
    expect(mark?.actions?.map(({ name }) => name)).toEqual(['Replace with search', 'Replace with sort']);
  });

  it('are mended by a click, with the cursor behind the new text', () => {
    const [mark] = marks({ mistakes: [finding({ suggestions: ['검색'] })] });
    const dispatched: unknown[] = [];
    // Of the view only `dispatch` is used.
    const view = { dispatch: (change: unknown) => void dispatched.push(change) } as never;
    mark?.actions?.[0]?.apply(view, 12, 18);
    expect(dispatched).toEqual([{ changes: { from: 12, to: 18, insert: '검색' }, selection: { anchor: 14 } }]);
  });
});

describe('The place of a mistake', () => {
  it.each([
    ['table web\n| serch x', 12, 17, ['| serch x', '  ^^^^^']],
    ['table web\n| serch x\n| limit 1', 12, 17, ['| serch x', '  ^^^^^']],
    ['x', 1, 1, ['x', ' ^']],
    ['', 0, 0, ['', '^']],
    ['상태 == 1', 0, 2, ['상태 == 1', '^^']],
    // Over the end of the line: only what is on it is marked.
    ['ab\ncd', 1, 5, ['ab', ' ^']],
  ])('of %j from %d to %d is shown in its line', (text, begin, end, excerpt) => {
    expect(excerptOf(text, { begin, end })).toEqual(excerpt);
  });

  it('in a long line is shown with its surroundings alone', () => {
    const [line, carets] = excerptOf(`${'a'.repeat(500)}X${'b'.repeat(500)}`, { begin: 500, end: 501 });
    expect(line).toBe(`${'a'.repeat(60)}X${'b'.repeat(60)}`);
    expect(carets).toBe(`${' '.repeat(60)}^`);
  });
});
