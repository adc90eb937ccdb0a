// The examples of the language, as far as they need no running: how they are refused, normalized, and which columns
// their results have.

import { describe, expect, it } from 'vitest';
import { FACTS } from '#test/support/engine-query.ts';
import { hasNoGetters } from '#test/support/getters-of-literals.ts';
import { queryErrorIn } from '#test/support/query.ts';
import { contextOf, EXAMPLE_NOW, EXAMPLE_USER, EXAMPLE_ZONE, SERVICE_FIELDS } from '#test/support/query-examples.ts';
import { commands } from './commands/index.ts';
import { queryExamples } from './examples/index.ts';
import { aggregates, functions } from './functions/index.ts';
import type { Expression } from './model/expression.ts';
import { hintsOf } from './model/query-error.ts';
import type { Value } from './model/values.ts';
import { checkQuery } from './query.ts';
import { evaluateConstant } from './values/evaluator/evaluator.ts';

const examples = queryExamples();

/** Options whose effect is no row of an answer: time, threads, bytes of files, requests. Suites of their own hold these. */
const RUN_ELSEWHERE = [
  ...['table window', 'table parallel', 'fulltext duration', 'fulltext window', 'fulltext parallel', 'system duration'],
  ...['stats parallel', 'timechart parallel', 'pivot fill', 'pivot parallel', 'parallel core'],
  ...['outputcsv append', 'outputcsv overwrite', 'outputcsv encoding'],
  ...['outputjson append', 'outputjson encoding', 'outputjson partition'],
  ...['outputtxt append', 'outputtxt overwrite', 'outputtxt gz', 'outputtxt partition'],
  ...['dblookup timeout', 'dboutput batchsize', 'dboutput rowretry', 'dboutput stoponfail'],
  ...['wget method', 'wget header', 'wget body', 'wget format', 'wget encoding'],
  ...['csvfile encoding', 'jsonfile encoding', 'textfile encoding'],
  ...['zipfile offset', 'zipfile limit', 'zipfile encoding'],
];

it('A query is not kept in memory by getters of its own', () => {
  const [example] = examples;
  if (!example) throw new Error('there are examples');
  expect(hasNoGetters(checkQuery(example.query, contextOf(example)))).toBe(true);
});

const evaluate = (expression: Expression, constants: ReadonlyMap<string, Value>): Value =>
  evaluateConstant(expression, { ...FACTS, now: EXAMPLE_NOW, zone: EXAMPLE_ZONE, user: EXAMPLE_USER }, constants);

describe('The examples', () => {
  it('are there for every command, function and aggregate', () => {
    const built = [...commands, ...functions, ...aggregates];
    const bare = built.filter((one) => one.examples.length === 0).map(({ name }) => name);
    expect(bare).toEqual([]);
  });

  it('run every option of every command', () => {
    const without = commands.flatMap(({ name, options, examples: own }) => {
      const ran = own.filter((one) => one.gives ?? one.stores ?? one.writes ?? one.holds).map(({ query }) => query);
      return options
        .filter((option) => !ran.some((query) => query.includes(`${option.name}=`)))
        .map((option) => `${name} ${option.name}`);
    });
    expect(without).toEqual(RUN_ELSEWHERE);
  });

  for (const example of examples) {
    const { query, refused } = example;
    const context = contextOf(example, { evaluate });

    if (refused) {
      it(`refuse ${query}`, () => {
        const { hints, ...position } = refused;
        const error = queryErrorIn(query, context);
        expect(error).toMatchObject(position);
        if (hints) expect(error && hintsOf(error).map(({ code }) => code)).toEqual(hints);
      });
      continue;
    }

    it(`normalize ${query}`, () => {
      const expected = example.normalized ?? query;
      expect(checkQuery(query, context).normalized).toBe(expected);
      expect(checkQuery(expected, context).normalized).toBe(expected);
    });

    it(`list one count per command of ${query}`, () => {
      const [commands] = checkQuery(query, context).references.pipelines.map((pipeline) => pipeline.commands);
      const texts = commands?.map(({ text }) => text) ?? [];
      expect(example.pushes?.length ?? texts.length).toBe(texts.length);
      expect(texts.join(' | ')).toBe(example.normalized ?? query);
    });

    const { warns } = example;
    if (warns) {
      it(`warn about ${query}`, () => {
        const found = checkQuery(query, context).warnings.map((warning) => ({
          code: warning.code,
          begin: warning.begin,
          end: warning.end,
          hints: hintsOf(warning).map(({ code }) => code),
        }));
        expect(found).toEqual(warns.map((warning) => ({ hints: [], ...warning })));
      });
    }

    if (example.columns) {
      it(`know the columns of ${query}`, () => {
        const { rows } = checkQuery(query, context).plan.result;
        const known = rows.columns.map(({ name }) => name);
        const shown = known.filter((name) => example.columns?.includes(name) || !SERVICE_FIELDS.includes(name));
        expect(shown).toEqual(rows.dynamic ? example.columns?.filter((name) => known.includes(name)) : example.columns);
        expect(rows.overflow).toBeUndefined();
      });
    }
  }
});
