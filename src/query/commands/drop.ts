import { command, noObjects } from '#query/planning/command.ts';

export const drop = command({
  name: 'drop',
  class: 'processing',
  syntax: 'drop',
  summary: 'Passes no rows; the columns stay known.',
  errors: [],
  dropsRows: true,
  examples: [
    { tables: { given: [{ a: 1 }, { a: 2 }] }, query: 'table given | bypass | drop', gives: [], pushes: [2, 2, 0] },
  ],
  ...noObjects,
  plan: (_, planning) => ({ ...planning.step(planning.rows), kind: 'drop' }),
});
