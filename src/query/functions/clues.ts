// Clues that tests of a value give, for the declarations of functions and for comparisons.

import type { Clue, Clues } from '#query/model/clue.ts';
import type { Call, Expression } from '#query/model/expression.ts';
import { neededTexts } from '#query/model/regex-needs.ts';
import type { Value } from '#query/model/values.ts';
import { textOf } from '#query/values/conversions.ts';
import { lower } from '#query/values/text/strings.ts';
import { likeParts } from '#query/values/text/wildcards.ts';

type CluesOfCall = (call: Call) => Clues | undefined;

/** Case folding of clues: texts that are equal without regard to case are equal after it. */
export const foldedText = (text: string): string => lower(text).replaceAll('ſ', 's');

/** Letters beyond ASCII that regular expressions may fold otherwise than `lower`; Korean, Chinese and Japanese have no case. */
const ODD_CASE = /[^\0-\x7f\u2e80-\ua63f\uac00-\ud7a3]/;

export const hasOddCase = (text: string): boolean => ODD_CASE.test(text);

/** Of a test that is false where its first argument is null. */
export const presenceClues: CluesOfCall = ({ args: [of] }) => of && [{ kind: 'present', of }];

/** What the value equals one of; undefined where nothing is known. */
export function memberClues(of: Expression, member: Expression): Clues | undefined {
  if (member.kind === 'pattern') return patternClues(of, member.parts);
  return member.kind === 'literal' ? constantClues(of, member.value) : undefined;
}

export const inClues: CluesOfCall = (call) => {
  const [of, ...members] = call.args;
  const clues = members.map((member) => of && memberClues(of, member));
  return clues.every((some) => some !== undefined) ? clues.flat() : presenceClues(call);
};

export const eqiClues: CluesOfCall = (call) => {
  const [of, other] = call.args;
  if (!of || !other) return undefined;
  if (other.kind === 'pattern') return patternClues(of, other.parts, true) ?? presenceClues(call);
  if (other.kind !== 'literal' || typeof other.value !== 'string') return presenceClues(call);
  // A number or a boolean of the record equals the constant by value, so its text need not contain the constant.
  const asWritten: Clue = { kind: 'equal', of, constant: lower(other.value) };
  const clues = patternClues(of, [other.value], true);
  return clues ? [...clues, asWritten] : presenceClues(call);
};

export const likeClues: CluesOfCall = (call) => {
  const [of, pattern] = call.args;
  const text = pattern && constantText(pattern);
  return (of && text !== undefined ? patternClues(of, likeParts(text)) : undefined) ?? presenceClues(call);
};

export const containsClues: CluesOfCall = (call) => {
  const [of, other] = call.args;
  const text = other && constantText(other);
  return (of && text !== undefined ? patternClues(of, [text]) : undefined) ?? presenceClues(call);
};

export const matchClues: CluesOfCall = (call) => {
  const [of, pattern] = call.args;
  const text = pattern && constantText(pattern);
  const needed = text === undefined ? undefined : neededTexts(text);
  const clues = of && needed?.map(({ text: one, ignoresCase }): Clue => ({ kind: 'text', of, text: one, ignoresCase }));
  return clues ?? presenceClues(call);
};

export const groupClues: CluesOfCall = ({ args: [group, of] }) => {
  const guid = group && constantText(group);
  return of && guid !== undefined ? [{ kind: 'group', of, guid: guid.toLowerCase() }] : undefined;
};

/** Constants that are lists, maps, dates or binaries are too rare to be indexed. */
function constantClues(of: Expression, constant: Value): Clues | undefined {
  if (constant === null) return [];
  return typeof constant === 'object' ? undefined : [{ kind: 'equal', of, constant }];
}

function patternClues(of: Expression, parts: readonly string[], ignoresCase = false): Clues | undefined {
  const text = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
  return text === '' ? undefined : [{ kind: 'text', of, text: ignoresCase ? foldedText(text) : text, ignoresCase }];
}

/** Undefined for dates, whose text depends on the zone of the rule. */
function constantText(expression: Expression): string | undefined {
  if (expression.kind !== 'literal' || expression.value === null || typeof expression.value === 'object')
    return undefined;
  return textOf(expression.value, 'UTC') ?? undefined;
}
