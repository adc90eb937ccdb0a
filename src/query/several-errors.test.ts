// A text with several mistakes: each is told, and none that only follows from another.

import { describe, expect, it } from 'vitest';
import { seededDice } from '#kernel/dice.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { queryErrorIn, world } from '#test/support/query.ts';
import { query } from '#test/support/query-generator.ts';
import { MAX_ERRORS, type QueryError } from './model/query-error.ts';
import { checkQuery } from './query.ts';

const context = world();

const placed = ({ code, begin, end }: QueryError) => `${code} ${begin}..${end}`;

function queryErrorsIn(text: string): string[] {
  const first = queryErrorIn(text, context);
  return first ? [first, ...first.further].map(placed) : [];
}

describe('Several mistakes', () => {
  it.each<[string, string[]]>([
    ['table t | serach a | sotr a', ['92000 10..16', '92000 21..25']],
    ['table nope | search concta(a) == 1 | limit -1', ['10001 6..10', '90300 20..26', '22400 43..45']],
    ['table t | join a [ table nope | serach x ] | lmit 1', ['10001 25..29', '92000 32..38', '92000 45..49']],
    ['table t | eval x = 1 + | fields nope=1 a', ['90200 22..22', '90001 32..36']],
    ['table t | search a == "x | serach', ['90004 22..23']],
    ['table nope | search a == "x', ['10001 6..10', '90004 25..26']],
    ['|| table t |', ['90003 1..2', '90003 11..12']],
    ['set x = foo(1) | table t | search a == $("x")', ['90300 8..11']],
    ['sett x = 1 | table t | search a == $("x")', ['92000 0..4']],
    ['table nope | search $("y") == 1 | limit $("y")', ['10001 6..10', '22400 40..46']],
    ['tabel t | search a', ['92000 0..5']],
    ['table t | memlookup op=x name=m key=a b | lookup m a output b', ['23600 23..24']],
    ['table t | serach a | lookup m a as k output b | sort b', ['92000 10..16']],
    ['table t | limit x | lookup m a output b', ['22400 16..17', '21200 27..28']],
    ['search a | stats foo(a)', ['92001 0..6', '22000 17..20']],
    ['proc busy("x", 1) | limit x', ['10301 5..9', '22400 26..27']],
  ])('are all told, in the order of the text: %s', (text, expected) => {
    expect(queryErrorsIn(text)).toEqual(expected);
  });

  it('are bounded in number', () => {
    expect(queryErrorsIn(`table t${' | serach a'.repeat(2000)}`).length).toBe(MAX_ERRORS);
  });

  it('end where the text is too large', () => {
    const text = `table nope${' | limit 1'.repeat(1100)} | serach a`;
    expect(queryErrorsIn(text).map((mistake) => mistake.slice(0, 5))).toEqual(['10001', '90009']);
  });

  const BROKEN: readonly [string, (command: string) => string][] = [
    ['a command that does not exist', (command) => `zzzzz${command}`],
    ['an option that does not exist', (command) => command.replace(/^\w+/, '$& zzzzz=1')],
    ['something behind it', (command) => `${command} )`],
  ];
  it.each(BROKEN)('are never of other commands than the broken one: %s', (_, broken) => {
    let tried = 0;
    for (let seed = FUZZ_SEED; seed < FUZZ_SEED + 100; seed += 1) {
      const text = query(seededDice(seed));
      if (queryErrorIn(text, context)) continue;
      for (const { begin, end, text: command } of checkQuery(text, context).plan.commands) {
        // Anything may stand behind an assignment or in SQL.
        if (/^(?:eval|set|dbquery|dblookup) /.test(command)) continue;
        const worse = broken(text.slice(begin, end));
        const changed = text.slice(0, begin) + worse + text.slice(end);
        const elsewhere = queryErrorsIn(changed).filter((mistake) => {
          const [, at = ''] = mistake.split(' ');
          return Number.parseInt(at, 10) < begin || Number.parseInt(at, 10) > begin + worse.length;
        });
        expect([changed, queryErrorsIn(changed).length > 0, elsewhere]).toEqual([changed, true, []]);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(100);
  });
});
