// GET /cursors/:id

import { type Call, endpoint } from '#http/endpoint.ts';
import { queryId } from '#http/number-params.ts';
import { orElse, required, rowNumber } from '#http/params.ts';
import { FURTHER_ROWS_TYPES, ROWS_TYPE, rowFields, rowsAnswer } from '#http/rows-answer.ts';
import { lines, map } from '#http/shapes.ts';
import type { LiveQueries } from '#queries/live-queries.ts';

interface Needs extends Call {
  readonly queries: LiveQueries;
}

export const read = endpoint({
  title: 'Read cursor',
  notes:
    'The rows found so far, in the formats of Run query; none where `offset` is beyond them. Rows of `GET /query` ' +
    'are not kept: their id is 403 like a missing one. Rows may outlive the status of their query.',
  method: 'GET',
  path: '/api/core/cursors/:id',
  access: 'MEMBER',
  params: {
    id: required(queryId, 'Id of the query.'),
    offset: orElse(rowNumber, 0, 'Number of rows before the first one.'),
    limit: orElse(rowNumber, 1000, 'Largest number of rows.'),
    ...rowFields,
  },
  answer: lines(map),
  answerType: ROWS_TYPE,
  furtherTypes: FURTHER_ROWS_TYPES,

  async run(input, { queries, caller, accept }: Needs) {
    const query = queries.findCursor(input.id, caller);
    return rowsAnswer(query, queries.fetch(query, input), { ...input, accept });
  },
});
