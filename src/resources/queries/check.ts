// POST /queries/check

import { type Call, endpoint } from '#http/endpoint.ts';
import { exactMap } from '#http/json-params.ts';
import { anyText, required } from '#http/params.ts';
import { arrayOf, int32, orNull, record, string } from '#http/shapes.ts';
import type { LiveQueries } from '#queries/live-queries.ts';

const q = { ...anyText, schema: { ...anyText.schema, examples: ['table duration=1h web | stats count by status'] } };

export const check = endpoint({
  title: 'Check query',
  notes:
    'The errors of a text, in the language of the account, and what it would read and give; nothing runs. All ' +
    'errors are reported that do not come from others, one for each command, at most 100, in the order of the ' +
    'text; behind an open string or bracket nothing is read. A text with an error has no normalized form, columns ' +
    'and tables. Warnings are not among the errors; columns that come from values, and tables of called ' +
    'procedures, are not listed. Errors in a called procedure are reported at the call.',
  method: 'POST',
  path: '/api/core/queries/check',
  access: 'MEMBER',
  isUnit: false,
  params: { q: required(q), params: exactMap },
  answer: record({
    mistakes: arrayOf(
      record({
        code: int32,
        message: string,
        begin: int32,
        end: int32,
        line: int32,
        column: int32,
        suggestion: orNull(string),
      }),
    ),
    normalized: orNull(string),
    columns: arrayOf(record({ name: string, type: string })),
    tables: arrayOf(string),
  }),

  async run({ q: text, params }, { queries, caller }: Call & { queries: LiveQueries }) {
    return await queries.check({ caller, text, params }, caller.locale);
  },
});
