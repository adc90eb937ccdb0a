// Derives from a condition what a record must contain to match (clues), without evaluating the condition. An index over
// many conditions uses the clues to find the few that a record can match. A clue is never stricter than its condition.

import type { Call, Comparison, Expression } from '#query/model/expression.ts';
import { neededTexts } from '#query/model/regex-needs.ts';
import type { Value } from '#query/model/values.ts';
import { textOf } from '#query/values/conversions.ts';
import { lower } from '#query/values/strings.ts';
import { likeParts } from '#query/values/wildcards.ts';

/** `of` is the expression that the clue reads from the record. */
export type Clue<Of = Expression> =
  /** The value equals the constant (4.2). */
  | { readonly kind: 'equal'; readonly of: Of; readonly constant: string | bigint | number | boolean }
  /**
   * The text of the value contains this text; if `ignoresCase`, after `foldedText` of both. Lists and maps may match
   * without it.
   */
  | { readonly kind: 'text'; readonly of: Of; readonly text: string; readonly ignoresCase: boolean }
  /** The value belongs to an address group. */
  | { readonly kind: 'group'; readonly of: Of; readonly guid: string }
  /** The value is a number, or the text of one, on this side of the bound. */
  | { readonly kind: 'order'; readonly of: Of; readonly is: Order; readonly bound: bigint | number }
  /** The value is not null. */
  | { readonly kind: 'present'; readonly of: Of };

export type Order = '<' | '<=' | '>' | '>=';

/** At least one of the clues must hold. */
export type Clues<Of = Expression> = readonly Clue<Of>[];

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
      const clues = CALLS[condition.called.name]?.(condition) ?? presenceOf(condition);
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
  if (right.kind === 'pattern') return patternClues(left, right.parts);
  if (right.kind === 'literal') return constantClues(left, right.value);
  return left.kind === 'literal' ? constantClues(right, left.value) : undefined;
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

/** Tests of one value that are false for null. */
const FALSE_FOR_NULL = ['in', 'eqi', 'like', 'match', 'contains', 'innet', 'iprange'];

function presenceOf({ called, args: [of] }: Call): Clues | undefined {
  return of && FALSE_FOR_NULL.includes(called.name) ? [{ kind: 'present', of }] : undefined;
}

/** Constants that are lists, maps, dates or binaries are too rare to be indexed. */
function constantClues(of: Expression, constant: Value): Clues | undefined {
  if (constant === null) return [];
  return typeof constant === 'object' ? undefined : [{ kind: 'equal', of, constant }];
}

function patternClues(of: Expression, parts: readonly string[], ignoresCase = false): Clues | undefined {
  const text = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
  return text === '' ? undefined : [{ kind: 'text', of, text: ignoresCase ? foldedText(text) : text, ignoresCase }];
}

/** Case folding of the index: texts that are equal without regard to case are equal after it. */
export const foldedText = (text: string): string => lower(text).replaceAll('ſ', 's');

const CALLS: Readonly<Record<string, ((call: Call) => Clues | undefined) | undefined>> = {
  in: ({ args: [of, ...members] }) => {
    const clues = members.map((member) => of && memberClues(of, member));
    return clues.every((some) => some !== undefined) ? clues.flat() : undefined;
  },
  eqi: ({ args: [of, other] }) => {
    if (!of || !other) return undefined;
    if (other.kind === 'pattern') return patternClues(of, other.parts, true);
    if (other.kind !== 'literal' || typeof other.value !== 'string') return undefined;
    // A number or a boolean of the record equals the constant by value, so its text need not contain the constant.
    const asWritten: Clue = { kind: 'equal', of, constant: lower(other.value) };
    const clues = patternClues(of, [other.value], true);
    return clues && [...clues, asWritten];
  },
  like: ({ args: [of, pattern] }) => {
    const text = pattern && constantText(pattern);
    return of && text !== undefined ? patternClues(of, likeParts(text)) : undefined;
  },
  contains: ({ args: [of, other] }) => {
    const text = other && constantText(other);
    return of && text !== undefined ? patternClues(of, [text]) : undefined;
  },
  match: ({ args: [of, pattern] }) => {
    const text = pattern && constantText(pattern);
    const needed = text === undefined ? undefined : neededTexts(text);
    return of && needed?.map(({ text: one, ignoresCase }) => ({ kind: 'text', of, text: one, ignoresCase }));
  },
  matchnet: ({ args: [group, of] }) => {
    const guid = group && constantText(group);
    return of && guid !== undefined ? [{ kind: 'group', of, guid: guid.toLowerCase() }] : undefined;
  },
};

function memberClues(of: Expression, member: Expression): Clues | undefined {
  if (member.kind === 'pattern') return patternClues(of, member.parts);
  return member.kind === 'literal' ? constantClues(of, member.value) : undefined;
}

/** Undefined for dates, whose text depends on the zone of the rule. */
function constantText(expression: Expression): string | undefined {
  if (expression.kind !== 'literal' || expression.value === null || typeof expression.value === 'object')
    return undefined;
  return textOf(expression.value, 'UTC') ?? undefined;
}
