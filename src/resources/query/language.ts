// GET /query-language: commands and functions of the query language, derived from their declarations.

import type { Locale } from '#contract/values.ts';
import { arrayOf, choice, orNull, record, string } from '#operations/answers/shapes.ts';
import { Answer, endpoint } from '#operations/endpoint.ts';
import { locale } from '#operations/params/choice-params.ts';
import { orElse } from '#operations/params/params.ts';
import { COMMAND_KINDS } from '#query/model/query-error.ts';

export interface LanguageReference {
  /** Made once for each locale: the answer needs no permission. */
  language(locale: Locale): Promise<LanguageText>;
}

export interface LanguageText {
  /** The answer as JSON. */
  readonly json: string;
  readonly etag: string;
}

const option = record({
  name: string('Name of the option.', 'span'),
  type: string('Type of its values.', 'span'),
  default: orNull(string)('Value where the option is not written; null where there is none.', '1d'),
  values: orNull(arrayOf(string))('All values, where they are a closed set; null otherwise.'),
  summary: string('Meaning of the option.', 'Width of a bucket.'),
});

export const language = endpoint({
  title: 'Get query language',
  notes:
    'Commands and functions of the query language with their syntax. `kind` of a command that looks at one row at a ' +
    'time is `row`. `returns` is `any` where the type depends on the arguments. With `If-None-Match` and the tag that ' +
    'the client has: 304 without a body as long as nothing has changed. Not audited.',
  method: 'GET',
  path: '/api/core/query-language',
  access: 'none',
  params: { locale: orElse(locale, 'en', 'Language of the summaries; only the language part is read, as in `ko-KR`.') },
  otherStatuses: [304],
  answerHeaders: { ETag: 'changes with the version of the service and with the language' },
  answer: record({
    version: string('Version of the service.', '1.0.0'),
    commands: arrayOf(
      record('CommandHelp', {
        name: string('Name of the command.', 'timechart'),
        kind: choice(COMMAND_KINDS)('Kind of the command.', 'transforming'),
        syntax: string('Syntax of the command.', 'timechart [span=1d] AGGREGATES [by F]'),
        summary: string('Meaning of the command.', 'Outputs aggregates per bucket of `_time`.'),
        options: arrayOf(option)('Options of the command, in the order of the syntax.'),
      }),
    )('Commands of the language.'),
    functions: arrayOf(
      record('FunctionHelp', {
        name: string('Name of the function.', 'nvl'),
        kind: choice(['scalar', 'aggregate'])('Kind of the function.', 'scalar'),
        syntax: string('Syntax of a call.', 'nvl(x, y)'),
        summary: string('Meaning of the function.', 'x, or y if x is null.'),
        returns: string('Type of the result.', 'any'),
      }),
    )('Functions and aggregates of the language.'),
  }),

  async run(input, { languageReference }: { languageReference: LanguageReference }) {
    const { json, etag } = await languageReference.language(input.locale);
    return new Answer<never>(json, { headers: { etag, 'cache-control': 'no-cache' } });
  },
});
