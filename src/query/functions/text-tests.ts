// The tests of fulltext on a row (7.1), shared by SQL statements and the local evaluator.

import type { Expression, FieldRead } from '#query/model/expression.ts';
import { lower } from '#query/values/text/strings.ts';
import { call, comparison, literal, logic } from '#query/values/typing.ts';
import { functionNamed } from './index.ts';

/** Consecutive words in lower case; a star replaces the start of the first word or the end of the last one. */
export interface Term {
  readonly kind: 'term';
  readonly words: readonly string[];
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

export type FieldTest =
  | {
      readonly kind: 'comparison';
      readonly field: FieldRead;
      readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=';
      readonly value: Expression;
    }
  | {
      readonly kind: 'range' | 'iprange';
      readonly field: FieldRead;
      readonly low: Expression;
      readonly high: Expression;
    };

/** The separator of words. */
export const GAP = '[^\\p{L}\\p{Nd}]';

/** Matches a text in lower case that contains the words in sequence, with such characters around them. */
export const phrasePattern = ({ words, openStart, openEnd }: Term, gap = GAP): string =>
  `${openStart ? '' : `(?:^|${gap})`}${words.join(`${gap}+`)}${openEnd ? '' : `(?:${gap}|$)`}`;

/** The phrases that each must occur in some field: with `anywhere` every word is a phrase of its own. */
export function phrasesOf(term: Term, { anywhere }: { readonly anywhere: boolean }): readonly Term[] {
  if (!anywhere) return [term];
  const { words, openStart, openEnd } = term;
  return words.map((word, index) => ({
    kind: 'term',
    words: [word],
    openStart: openStart && index === 0,
    openEnd: openEnd && index === words.length - 1,
  }));
}

/** The test as an expression that is true for matching rows. */
export function testExpression(test: FieldTest): Expression {
  const { field } = test;
  if (test.kind !== 'comparison') {
    if (test.kind === 'iprange') return called('iprange', [field, test.low, test.high]);
    const bounds = [comparedLess(field, '>=', test.low), comparedLess(field, '<=', test.high)];
    return logic('and', bounds, field);
  }
  const { operator, value } = test;
  if (operator === '==') return called('eqi', [field, value]);
  if (operator !== '!=') return comparedLess(field, operator, value);
  const isUnequal = called('not', [called('eqi', [field, value])]);
  const isThere = [field, value].flatMap((one) => (one.kind === 'pattern' ? [] : [called('isnotnull', [one])]));
  return logic('and', [...isThere, isUnequal], field);
}

function comparedLess(field: Expression, operator: '<' | '<=' | '>' | '>=', value: Expression): Expression {
  const folded =
    value.kind === 'literal' && typeof value.value === 'string' ? literal(lower(value.value), value) : value;
  return comparison(operator, loweredText(field), folded);
}

/** Only strings have case. */
export function loweredText(field: Expression): Expression {
  if (field.type === 'string') return called('lower', [field]);
  if (field.type !== 'any') return field;
  return called('if', [called('isstr', [field]), called('lower', [field]), field]);
}

function called(name: string, args: readonly [Expression, ...Expression[]]): Expression {
  const declared = functionNamed(name);
  if (!declared) throw new Error(`the function ${name} is missing`);
  return call(declared, args, args[0]);
}
