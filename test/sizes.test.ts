// Functions and files stay within a size at which they can be read, and no limit shapes them: neither siblings of a file that
// only hold what did not fit, nor idioms that only save a line.

import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { isTest, type Source, sourcesIn } from '#test/support/sources.ts';

const FILE_LINES = 500;
/** Files of declarations are to look things up in: they have no limit. */
const DECLARATIONS =
  /^console\/src\/(labels\/\w+\.ts|components\/icon\.tsx)|^src\/(query\/functions\/|contract\/(labels\/|errors\.ts)|cli\/messages\/|store\/schema\/|settings\/)/;
const FUNCTION_LINES = 60;
/** One list of statements, written once and never changed. */
const MIGRATION = /^src\/store\/migrations\/\d{4}-/;

const all = sourcesIn('{src,console,bin,bench,test}/**/*.{ts,tsx}');
const sources = all.filter((source) => !isTest(source) && !source.path.startsWith('test/'));

describe('Sizes', () => {
  it(`keep every file of code within ${FILE_LINES} lines`, () => {
    const long = all
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ path, lines }) => lines > FILE_LINES && !DECLARATIONS.test(path));
    expect(long).toEqual([]);
  });

  it(`keep every function within ${FUNCTION_LINES} lines`, () => {
    expect(sources.filter(({ path }) => !MIGRATION.test(path)).flatMap(longFunctions)).toEqual([]);
  });

  it('have no file for what did not fit into another one', () => {
    expect(all.map(({ path }) => path).filter((path) => /-deps\.tsx?$/.test(path))).toEqual([]);
  });

  it('have no idiom that only saves a line', () => {
    expect(all.flatMap(lineSavers)).toEqual([]);
  });

  it('find functions and idioms at all, so that the checks above can fail', () => {
    const body = Array.from({ length: FUNCTION_LINES }, (_, line) => `  call(${line});`).join('\n');
    const forms = [
      `function long(): void {\n${body}\n}`,
      `const long = () => {\n${body}\n};`,
      `class Long {\n  long() {\n${body}\n  }\n}`,
    ];
    for (const text of forms) expect(longFunctions({ path: 'long.ts', text })).toHaveLength(1);
    const text = 'const [a, b] = [1, 2];\nexport const both = { ...{ a, b }, c: [a, b] };\n';
    expect(lineSavers({ path: 'short.ts', text })).toEqual([
      'short.ts:1: one declaration for each name',
      'short.ts:2: the members without a literal around them',
    ]);
  });
});

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Each with its first line and its length. A function within a long one is counted by itself, too. */
function longFunctions({ path, text }: Source): string[] {
  const found: string[] = [];
  const check = ({ start, end }: { readonly start: number; readonly end: number }) => {
    const length = text.slice(start, end).split('\n').length;
    if (length > FUNCTION_LINES) found.push(`${path}:${lineOf(text, start)} (${length})`);
  };
  const visitor = new Visitor({
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}

function lineSavers({ path, text }: Source): string[] {
  const found: string[] = [];
  const tell = (start: number, advice: string) => void found.push(`${path}:${lineOf(text, start)}: ${advice}`);
  const visitor = new Visitor({
    VariableDeclarator({ id, init, start }) {
      const saves = id.type === 'ArrayPattern' && init?.type === 'ArrayExpression';
      if (saves) tell(start, 'one declaration for each name');
    },
    ObjectExpression({ properties }) {
      for (const part of properties) {
        const saves = part.type === 'SpreadElement' && part.argument.type === 'ObjectExpression';
        if (saves) tell(part.start, 'the members without a literal around them');
      }
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}
