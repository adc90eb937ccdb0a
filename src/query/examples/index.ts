// All examples that hold today, those of commands and functions among them.

import { commands } from '#query/commands/index.ts';
import { aggregates, functions } from '#query/functions/index.ts';
import type { ExampleRow, ExampleValue, QueryExample } from '#query/model/example.ts';
import { languageExamples } from './language.ts';
import { ownCommandExamples } from './own-commands.ts';

export const queryExamples = (): readonly QueryExample[] => [
  ...languageExamples,
  ...ownCommandExamples,
  ...commands.flatMap(({ examples }) => examples),
  ...functionExamples(),
  ...aggregateExamples(),
];

/** The group that the examples of functions may name. */
const GROUPS = {
  '11111111-1111-1111-1111-111111111111': ['10.0.0.0/8', '192.168.0.5-192.168.0.9', '2001:db8::/32', 'udp/1000-2000'],
};

/** The parameter that the examples of functions may name. */
const CONSTANTS = { secret_key: '0123456789abcdef' };

const asQuery = (text: string) => `json "{}" | eval result = ${text}`;

/** One row with the value in `result`. */
function functionExamples(): QueryExample[] {
  return functions
    .flatMap(({ examples }) => examples)
    .map(({ text, normalized = text, gives }) => ({
      groups: GROUPS,
      constants: CONSTANTS,
      query: asQuery(text),
      normalized: asQuery(normalized),
      gives: [{ result: gives as ExampleValue }],
    }));
}

/** The values one by one in the field `x` of their rows, as text of the query, so that 1.0 stays a double. */
function aggregateExamples(): QueryExample[] {
  return aggregates
    .flatMap(({ examples }) => examples)
    .map(({ text, over, gives }) => ({
      query: `json "${rowsOf(over)}" | stats ${text} as result`,
      gives: [{ result: gives } as ExampleRow],
    }));
}

const rowsOf = (over: string) =>
  `[${over
    .split(', ')
    .map((value) => `{x:${value.replaceAll('"', "'")}}`)
    .join(',')}]`;
