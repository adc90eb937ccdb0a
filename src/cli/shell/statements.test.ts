import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededDice } from '#kernel/dice.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { queryErrorIn } from '#test/support/query.ts';
import { query } from '#test/support/query-generator.ts';
import { isWhole, statementsIn } from './statements.ts';

describe('A text that is typed', () => {
  it.each<[string, boolean]>([
    ['', true],
    ['table web', true],
    ['table web | stats count', true],
    ['serach nonsense =', true],
    ['table web | join a [ table x ]', true],
    ['table web ]', true],
    ['table web | search a == "(|["', true],
    ['table web | # what (is | limit 1', true],
    ['\\o file \\', true],
    ['table web |', false],
    ['table web ｜ ', false],
    ['table web | join a [ table x', false],
    ['table web | join a [ table x | ', false],
    ['table web | search a == "x', false],
    ['table web | search in(a, 1', false],
    ['table web | join a [ search (b ] ', true],
    ['table web \\', false],
    ['table web \\  ', false],
    ['“x', false],
  ])('is run as it stands or waits for more: %s', (text, expected) => {
    expect(isWhole(text)).toBe(expected);
  });

  it('is judged at once, however large and hostile it is', () => {
    const many = 100_000;
    expect(isWhole(`table t | search ${'('.repeat(20_000)}`)).toBe(false);
    expect(isWhole(`table t ${'[a]'.repeat(many)}`)).toBe(true);
    expect(isWhole('|'.repeat(20_000))).toBe(false);
    expect(isWhole('"a"'.repeat(many))).toBe(true);
  });

  it('is whole where it is a query that can run, and not with a pipe behind it', () => {
    for (let seed = FUZZ_SEED; seed < FUZZ_SEED + 200; seed += 1) {
      const text = query(seededDice(seed));
      // A pipe behind a comment with an open bracket is part of the comment.
      const endsInComment = /#[^|]*\[/.test(text.slice(text.lastIndexOf('#')));
      if (queryErrorIn(text) === undefined && !endsInComment)
        expect([text, isWhole(text), isWhole(`${text} |`)]).toEqual([text, true, false]);
    }
  });
});

describe('Statements of an input', () => {
  const statements = async (text: string) => {
    async function* lines() {
      yield* text.split('\n');
    }
    return await Array.fromAsync(statementsIn(lines()));
  };

  it.each<[string, string[]]>([
    ['a\nb', ['a', 'b']],
    ['\n\na\n\n\nb\n', ['a', 'b']],
    ['table web\n| limit 1\n  | limit 2\ntable x', ['table web\n| limit 1\n  | limit 2', 'table x']],
    ['table web |\nlimit 1\nb', ['table web |\nlimit 1', 'b']],
    ['table web \\\nlimit=1\nb', ['table web \nlimit=1', 'b']],
    ['search in(a,\n1)\n\\quit', ['search in(a,\n1)', '\\quit']],
    ['\\o x\n\\quit', ['\\o x', '\\quit']],
    ['table web |', ['table web |']],
    ['a \\', ['a ']],
    ['', []],
  ])('end where they are whole: %j', async (text, expected) => {
    expect(await statements(text)).toEqual(expected);
  });

  it('lose nothing but line ends and backslashes', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '|', '(', ')', '"', '[', ']') });
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (lines) => {
        const kept = (await statements(lines.join('\n'))).join('').replaceAll(/[\n ]/g, '');
        return kept === lines.join('').replaceAll(' ', '');
      }),
    );
  });
});
