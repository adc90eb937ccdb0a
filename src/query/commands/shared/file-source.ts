// The shared part of the commands that read files: path, encoding, the right to read, and the node.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { takeExpression } from '#query/language/expressions/expression-parser.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { about, alsoKey, charset, orElse, whole } from '#query/language/option-readers.ts';
import { quoted, unescaped } from '#query/language/strings.ts';
import type { Words } from '#query/language/words.ts';
import type { ParameterRead, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { FileForm, FileRows } from '#query/plan-nodes/files.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import type { Charset } from '#query/values/text/charsets.ts';
import { OPTION_SUMMARIES } from './option-summaries.ts';

export const cutOptions = {
  offset: about(orElse(0n, whole(0, 10006)), OPTION_SUMMARIES.offset),
  limit: about(whole(0, 10006), OPTION_SUMMARIES.limit),
} as const;
export const encodingOption = {
  encoding: about(alsoKey('cs', orElse<Charset>('utf-8', charset)), OPTION_SUMMARIES.encoding),
} as const;

export const IMPORT_RULES = [
  'PATH is absolute and below a folder of the setting `import-folders`, or relative to one of these folders, the first that has it; a word without blanks, a STRING or `$()`. A `*` may stand in its last step: all files that fit, in the order of their names. A name that ends in `.gz` is unpacked.',
  'Links are followed inside of the folders; a path that leads out of them is 10800, also where there is no file. Anything but a plain file is 10801, and so is damaged content.',
  '`offset` and `limit` cut the rows of all files together. Every row has `_file`, the path of its file.',
  'Lines end in LF or CRLF. `encoding` is a charset of `decode()`; bytes that it does not allow become U+FFFD. A line has at most 1 MiB, and a packed file or an archive unpacks to at most 100 times its size (10803).',
  'Only administrators may read files (10802); in a procedure its owner counts, and for a path from `$()` the caller too. Each run writes an audit entry with the paths (`query.read-files`).',
];

export const IMPORT_ERRORS = [10006, 10800, 10801, 10802, 10803, 30104, 99000] as const;

/** A text of the query, or the parameter that holds it. */
export type WrittenText = Span & ({ readonly text: string } | { readonly parameter: ParameterRead });

export function* takeText(words: Words): SlicedWork<WrittenText> {
  const { at: begin } = words;
  const token = words.takeString();
  if (token) {
    const { text } = unescaped(token);
    if (text === '') throw new QueryError(90201, token, { token: '""' });
    return { text, begin, end: token.end };
  }
  if (words.startsWith('$(')) {
    const parameter = yield* takeExpression(words, { keywords: [], aggregate: 90307, least: Number.POSITIVE_INFINITY });
    if (parameter.kind !== 'parameter') throw words.unexpected();
    return { parameter, begin: parameter.begin, end: parameter.end };
  }
  const word = words.takeWord();
  if (!word) throw words.tooFew({ term: 'path' });
  return { ...word, text: word.text.normalize() };
}

const BARE = /^[\p{L}\p{Nd}_/.*][\p{L}\p{Nd}_.:/{}*-]*$/u;

export const writtenText = (written: WrittenText): string => {
  if ('parameter' in written) return expressionText(written.parameter);
  return BARE.test(written.text) ? written.text : quoted(written.text);
};

/** The text; undefined while a parameter has no value. */
export function textIn(written: WrittenText, planning: CommandPlanning<unknown>): string | undefined {
  if ('text' in written) return written.text;
  const value = planning.parameter(written.parameter);
  return value === undefined ? undefined : typeof value === 'string' ? value.normalize() : '';
}

interface FileOptions {
  readonly offset: bigint | undefined;
  readonly limit: bigint | undefined;
  readonly encoding: Charset | undefined;
}

interface FileFields {
  readonly form: FileForm;
  /** Known columns beside `_file`. */
  readonly fields: readonly (readonly [string, ColumnType])[];
  /** Whether a file may have any field. */
  readonly isOpen: boolean;
}

export function fileRows(
  path: WrittenText,
  { form, fields, isOpen }: FileFields,
  planning: CommandPlanning<FileOptions>,
): FileRows {
  const { offset = 0n, limit, encoding = 'utf-8' } = planning.options;
  const columns = [...fields, ['_file', 'string'] as const].map(([name, type]) => planning.newColumn(name, type));
  const sequence = planning.hiddenColumn();
  const rows = {
    columns,
    ...(isOpen ? { overflow: { id: planning.hiddenColumn(), without: [] } } : {}),
    order: [{ column: sequence, descending: false }],
  };
  const bounds = { offset, ...(limit === undefined ? {} : { limit }) };
  const about = { kind: 'files', form, path: allowedPath(path, planning), encoding, sequence } as const;
  return { ...planning.planNode(rows), ...planning.account, ...about, ...bounds };
}

/** Throws 10802 without the right to read, 10800 for a path that leads out of the folders. */
function allowedPath(path: WrittenText, planning: CommandPlanning<unknown>): string {
  const { imports, isCallerAdministrator = true } = planning.queryContext;
  const text = textIn(path, planning);
  if (!imports || ('parameter' in path && !isCallerAdministrator))
    throw new QueryError(10802, path, { name: text ?? '' });
  if (text === undefined) return '';
  if (!imports.isInside(text)) throw new QueryError(10800, path);
  return text;
}
