// POST /queries/check

import { described } from '#http/described.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { exactMap } from '#http/json-params.ts';
import { anyText, required } from '#http/params.ts';
import { arrayOf, int32, orNull, record, string } from '#http/shapes.ts';
import type { LiveQueries } from '#queries/live-queries.ts';

const q = { ...anyText, schema: { ...anyText.schema, examples: ['table duration=1h web | stats count by status'] } };

export const check = endpoint({
  title: 'Check query',
  notes:
    'The errors of a text, in the language of the account, with the tables and columns of its result; nothing runs. All ' +
    'errors are reported that do not come from others, one for each command, at most 100, in the order of the ' +
    'text; behind an open string or bracket nothing is read. A text with an error has no normalized form, columns ' +
    'and tables. Warnings are not among the errors; columns that come from values, and tables of called ' +
    'procedures, are not listed. Errors in a called procedure are reported at the call.',
  method: 'POST',
  path: '/api/core/queries/check',
  access: 'MEMBER',
  isUnit: false,
  params: {
    q: required(q, 'Text of the query.'),
    params: described(exactMap, 'Parameters that the query reads with `$("name")`.'),
  },
  answer: record({
    mistakes: arrayOf(
      record({
        code: int32('Number of the error.', 10001),
        message: string('Text of the error.', 'there is no table web'),
        begin: int32('Offset of the first character of the place, from 0.'),
        end: int32('Offset after the last character of the place.'),
        line: int32('Line of the place, from 1.'),
        column: int32('Column of the place, from 1.'),
        suggestion: orNull(string)('Name that may be meant; null where there is none.', 'web'),
      }),
    )('Errors of the text; empty where it can run.'),
    normalized: orNull(string)(
      'Normalized text; null where the text has errors.',
      'table duration=1h web | stats count by status',
    ),
    columns: arrayOf(
      record({ name: string('Name of the column.', 'count'), type: string('Type of the values.', 'long') }),
    )('Columns of the result; empty where the text has errors.'),
    tables: arrayOf(string)('Names of the tables that the query reads.', ['web']),
  }),

  async run({ q: text, params }, { queries, caller }: Call & { queries: LiveQueries }) {
    return await queries.check({ caller, text, params }, caller.locale);
  },
});
