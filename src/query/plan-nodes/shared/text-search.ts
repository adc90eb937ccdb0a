// The terms of fulltext (7.1) tested on local rows, without regard to case.

import { phrasePattern, phrasesOf, type Term, testExpression } from '#query/functions/text-tests.ts';
import type { Rows } from '#query/model/columns.ts';
import { overflowOf, type Row } from '#query/rows/row.ts';
import { textOf } from '#query/values/conversions.ts';
import { lower } from '#query/values/text/strings.ts';
import type { RowScope } from './row-scope.ts';
import type { TextCondition, TextSearch } from './text-condition.ts';

type Test = (row: Row) => boolean;

export function textTest({ condition, anywhere }: TextSearch, rows: Rows, scope: RowScope<Row>): Test {
  const texts = loweredTexts(rows, scope.run.zone);
  const compiled = (one: TextCondition): Test => {
    switch (one.kind) {
      case 'and':
      case 'or': {
        const tests = one.operands.map(compiled);
        return one.kind === 'and'
          ? (row) => tests.every((test) => test(row))
          : (row) => tests.some((test) => test(row));
      }
      case 'not': {
        const test = compiled(one.operand);
        return (row) => !test(row);
      }
      case 'term': {
        const phrases = phrasesOf(one, { anywhere }).map(holdsPhrase);
        return (row) => phrases.every((holds) => texts(row).some(holds));
      }
      case 'found':
        throw new Error('values of a subquery are searched by a statement');
      default:
        return scope.condition(testExpression(one));
    }
  };
  return compiled(condition);
}

/** A plain search for the first word comes before the regular expression. */
function holdsPhrase(phrase: Term): (text: string) => boolean {
  const [first = ''] = phrase.words;
  const pattern = new RegExp(phrasePattern(phrase), 'u');
  return (text) => text.includes(first) && pattern.test(text);
}

/** Texts of the searched fields; made once for a row, however many terms there are. */
function loweredTexts({ columns, overflow }: Rows, zone: string): (row: Row) => readonly string[] {
  const searched = columns.filter(({ name }) => !name.startsWith('_'));
  let last: Row | undefined;
  let texts: readonly string[] = [];
  return (row) => {
    if (row === last) return texts;
    const rest = overflow ? [...(overflowOf(row, overflow) ?? [])].filter(([name]) => !name.startsWith('_')) : [];
    const values = [...searched.map(({ id }) => row[id] ?? null), ...rest.map(([, value]) => value)];
    last = row;
    texts = values.flatMap((value) => {
      const text = textOf(value, zone);
      return text === null ? [] : [lower(text)];
    });
    return texts;
  };
}
