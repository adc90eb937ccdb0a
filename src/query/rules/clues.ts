// Derives from a condition what a record must contain to match (clues), without evaluating the condition. An index over
// many conditions uses the clues to find the few that a record can match. A clue is never stricter than its condition.

import { memberClues } from '#query/functions/clues.ts';
import type { Clue, Clues } from '#query/model/clue.ts';
import type { Comparison, Expression } from '#query/model/expression.ts';

/** Every element of the list must hold; conditions without clues are not in it. */
export function cluesOf(condition: Expression): readonly Clues[] {
  switch (condition.kind) {
    case 'logic': {
      const each = condition.operands.map(cluesOf);
      return condition.operator === 'and' ? each.flat() : either(each);
    }
    case 'comparison':
      return [(condition.operator === '==' ? equality(condition) : bounds(condition)) ?? presenceOfSide(condition)];
    case 'call': {
      const clues = condition.called.clues?.(condition);
      return clues ? [clues] : [];
    }
    case 'field':
      return [[{ kind: 'present', of: condition }]];
    default:
      return [];
  }
}

/** Alternatives give clues only if each of them does. */
function either(each: readonly (readonly Clues[])[]): readonly Clues[] {
  const rarest = each.map((needs) => needs.toSorted((one, other) => frequencyOf(one) - frequencyOf(other))[0]);
  return rarest.every((clues) => clues !== undefined) ? [rarest.flat()] : [];
}

const frequencyOf = (clues: Clues): number => clues.reduce((sum, clue) => sum + weightOf(clue), 0);

/** Weights by the length of a text, from 0 on. */
const TEXT_WEIGHTS = [1000, 400, 60, 10, 4, 3];

/** An estimate of how often records satisfy the clue. */
export function weightOf(clue: Clue<unknown>): number {
  switch (clue.kind) {
    case 'equal':
      return typeof clue.constant === 'boolean' ? 50 : 1;
    case 'text':
      return TEXT_WEIGHTS[clue.text.length] ?? 2;
    case 'group':
      return 20;
    case 'order':
      return 300;
    case 'present':
      return 900;
  }
}

function equality({ left, right }: Comparison): Clues | undefined {
  if (right.kind === 'pattern' || right.kind === 'literal') return memberClues(left, right);
  return left.kind === 'literal' ? memberClues(right, left) : undefined;
}

function bounds({ operator, left, right }: Comparison): Clues | undefined {
  if (operator === '==' || operator === '!=' || right.kind !== 'literal') return undefined;
  const bound = right.value;
  if (typeof bound !== 'bigint' && typeof bound !== 'number') return undefined;
  return [{ kind: 'order', of: left, is: operator, bound }];
}

/** A comparison with null is never true. */
const presenceOfSide = ({ left, right }: Comparison): Clues => [
  { kind: 'present', of: left.kind === 'literal' ? right : left },
];
