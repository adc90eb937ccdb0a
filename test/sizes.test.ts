// A file fits in the head, a function does one thing: the budget is on the tail, not on the average.

import { describe, expect, it } from 'vitest';
import { isTest, type Source, sourcesIn } from '#test/support/sources.ts';

const FILE_LINES = 500;
/** Lists of declarations are to look things up in, not read. */
const DECLARATION_LINES = 600;
const DECLARATIONS =
  /^console\/src\/(labels\/\w+\.ts|components\/icon\.tsx)|^src\/(query\/functions\/|contract\/(labels\/|errors\.ts)|cli\/messages\/|store\/schema\/|settings\/)/;
const FUNCTION_LINES = 60;

const sources = sourcesIn('src/**/*.ts', 'console/**/*.{ts,tsx}', 'bin/*.ts', 'bench/*.ts').filter(
  (source) => !isTest(source),
);

describe('Sizes', () => {
  it(`keep every file within ${FILE_LINES} lines, lists of declarations within ${DECLARATION_LINES}`, () => {
    const long = [...sources, ...sourcesIn('test/**/*.ts', '{src,console/src}/**/*.test.ts')]
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ path, lines }) => lines > (DECLARATIONS.test(path) ? DECLARATION_LINES : FILE_LINES));
    expect(long).toEqual([]);
  });

  it(`keep every function within ${FUNCTION_LINES} lines`, () => {
    expect(sources.flatMap(longFunctions)).toEqual([]);
  });

  it('find functions at all, so that the check above can fail', () => {
    const body = Array.from({ length: FUNCTION_LINES }, (_, line) => `  call(${line});`).join('\n');
    expect(longFunctions({ path: 'long.ts', text: `function long(): void {\n${body}\n}\n` })).toEqual([
      'long.ts:1 (62)',
    ]);
  });
});

/** Formatted code closes a function on a line of the same indentation as the one that opens it. */
function longFunctions({ path, text }: Source): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!OPENS_FUNCTION.test(line)) return [];
    const indent = /^ */.exec(line)?.[0] ?? '';
    const length = lines.slice(index).findIndex((later, at) => at > 0 && later.startsWith(`${indent}}`)) + 1;
    return length > FUNCTION_LINES ? [`${path}:${index + 1} (${length})`] : [];
  });
}

const OPENS_FUNCTION = /(\bfunction\b.*|=>|^ *(async |static |get )*\*?#?\w+(<.*>)?\(.*\)(: .*)?) \{$/;
