// POST /queries/check

import { hints, mistakes, outlinedCommand, warnings } from '#operations/answers/finding-shapes.ts';
import { arrayOf, boolean, orNull, record, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, required } from '#operations/params/params.ts';
import { params } from '#operations/params/query-params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';

const q = { ...anyText, schema: { ...anyText.schema, examples: ['table duration=1h web | stats count by status'] } };

export const check = endpoint({
  title: 'Check query',
  notes:
    'Errors, warnings and hints of a text, in the language of the account, with its commands and with the tables ' +
    'and columns of its result; nothing runs, and no database or host is asked. All errors are reported that do ' +
    'not come from others, one for each command, at most 100 errors and 100 warnings; behind an open string or ' +
    'bracket nothing is read. A text with an error has no normalized form, columns and tables. `commands` are ' +
    'those outside of brackets that can be read. Columns that come from values, and tables of called procedures, ' +
    'are not listed. Errors in a called procedure are reported at the call. A parameter without a value is null.',
  method: 'POST',
  path: '/api/core/queries/check',
  access: 'MEMBER',
  isUnit: false,
  params: {
    q: required(q, 'Text of the query.'),
    params,
  },
  answer: record({
    mistakes,
    warnings,
    hints,
    commands: arrayOf(outlinedCommand)('Commands of the text, in their order, as far as it can be read.'),
    changes: boolean('Whether the text has a command that a run with `read_only` refuses, as far as it can be read.'),
    normalized: orNull(string)(
      'Normalized text; null where the text has errors.',
      'table duration=1h web | stats count by status',
    ),
    columns: arrayOf(
      record({ name: string('Name of the column.', 'count'), type: string('Type of the values.', 'long') }),
    )('Columns of the result; empty where the text has errors.'),
    replacement: orNull(string)(
      'The whole text as it should read, by the hints of its mistakes; null where it has none, or where one stays.',
      'table * | search status == 500',
    ),
    tables: arrayOf(string)('Names of the tables that the query reads.', ['web']),
  }),

  async run({ q: text, params }, { queries, caller }: Call & { queries: LiveQueries }) {
    return await queries.check({ caller, text, params }, caller.locale);
  },
});
