import { about, whole } from '#query/language/option-readers.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command, noObjects } from '#query/planning/command.ts';

export const repeat = command({
  name: 'repeat',
  class: 'processing',
  syntax: 'repeat count=N',
  summary: { en: 'Passes each row N times, the copies one after the other.', ko: '각 행을 N번씩 이어서 내보냅니다.' },
  errors: [21600],
  examples: [{ query: 'json "{}" | repeat count=3 | eval n = seq()', gives: [{ n: 1 }, { n: 2 }, { n: 3 }] }],
  options: {
    count: about(whole(1, 21600), { en: 'How many times each row is passed on.', ko: '각 행을 내보낼 횟수입니다.' }),
  },
  ...noObjects,
  read(_, { options, nameSpan }) {
    if (!options.count) throw new QueryError(21600, nameSpan, { name: 'count' });
    return nameSpan;
  },
  plan(nameSpan, planning) {
    const { count = planning.isPending('count') ? 1n : undefined } = planning.options;
    if (count === undefined) throw new QueryError(21600, nameSpan, { name: 'count' });
    const copy = planning.hiddenColumn();
    const { rows } = planning;
    const ordered = rows.order ? { ...rows, order: [...rows.order, { column: copy, descending: false }] } : rows;
    return { ...planning.step(ordered), kind: 'repeat', count, copy };
  },
});
