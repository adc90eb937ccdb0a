// All examples of the language that give rows, run on DuckDB: rows, columns and counts.

import { describe, it } from 'vitest';
import { queryExamples } from '#query/examples/index.ts';
import { expectExample, runsHere } from '#test/support/example-suite.ts';
import { QueryRunner } from '#test/support/query-runner.ts';

describe('Examples on DuckDB', () => {
  for (const example of queryExamples().filter(runsHere)) {
    it(example.query, async () => {
      await using runner = await QueryRunner.open(example);
      await expectExample(example, runner);
    });
  }
});
