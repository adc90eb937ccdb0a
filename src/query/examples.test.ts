// The examples of the language, as far as they need no running: how they are refused, normalized, and which columns
// their results have.

import { describe, expect, it } from 'vitest';
import { hasNoGetters } from '#test/support/getters-of-literals.ts';
import { queryErrorIn } from '#test/support/query.ts';
import { contextOf, SERVICE_FIELDS } from '#test/support/query-examples.ts';
import { commands } from './commands/index.ts';
import { queryExamples } from './examples/index.ts';
import { aggregates, functions } from './functions/index.ts';
import { hintsOf } from './model/query-error.ts';
import { checkQuery } from './query.ts';

const examples = queryExamples();

it('A query is not kept in memory by getters of its own', () => {
  const [example] = examples;
  if (!example) throw new Error('there are examples');
  expect(hasNoGetters(checkQuery(example.query, contextOf(example)))).toBe(true);
});

describe('The examples', () => {
  it('are there for every command, function and aggregate', () => {
    const built = [...commands, ...functions, ...aggregates];
    const bare = built.filter((one) => one.examples.length === 0).map(({ name }) => name);
    expect(bare).toEqual([]);
    // As many as the reference has, those of two functions joined in one and two more beside them; those of functions that
    // the reference only names; three of commands and functions that it shows beside others: parallel, outputtxt, xpath;
    // and three of what others do besides: hash by two more algorithms, fulltext with subqueries. Five of warnings.
    // 46 of hashes, charsets, zones, locales, digits, positions and encryption.
    expect(examples.length).toBe(146 + 121 + 22 + 3 + 3 + 5 + 46);
  });

  for (const example of examples) {
    const { query, refused } = example;
    const context = contextOf(example);

    if (refused) {
      it(`refuse ${query}`, () => {
        const { hints, ...place } = refused;
        const error = queryErrorIn(query, context);
        expect(error).toMatchObject(place);
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
          ...{ code: warning.code, begin: warning.begin, end: warning.end },
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
