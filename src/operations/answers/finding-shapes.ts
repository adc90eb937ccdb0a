// Shapes of findings about the text of a query: errors and warnings, hints, and the commands of the text.

import { COMMAND_KINDS } from '#query/model/query-error.ts';
import { arrayOf, choice, guidText, int32, optional, orNull, record, string } from './shapes.ts';

export const finding = record('Finding', {
  code: int32('Number of the error or warning.', 90902),
  message: string('Text in the language of the account.', 'warning: field stauts is not known here'),
  begin: int32('Offset of the first character of the place, from 0.', 17),
  end: int32('Offset after the last character of the place.', 23),
  line: int32('Line of the place, from 1.', 1),
  column: int32('Column of the place, from 1.', 18),
  suggestion: orNull(string)('First of the suggestions; null where there is none.', 'status'),
  suggestions: arrayOf(string)('Names that may be meant, nearest first.', ['status']),
});

export const hint = record('Hint', {
  code: int32('Number of the hint.', 91038),
  of: int32('Number of the error or warning that the hint belongs to.', 90904),
  message: string('Text in the language of the account.', 'text stands in double quotes: "kim"'),
  begin: int32('Offset of the first character of the place, from 0.', 25),
  end: int32('Offset after the last character of the place.', 28),
  replacement: orNull(string)('Text for this place; null where there is no single one.', '"kim"'),
});

export const outlinedCommand = record('OutlinedCommand', {
  name: string('Name of the command.', 'stats'),
  begin: int32('Offset of its first character, from 0.', 12),
  end: int32('Offset after its last character.', 33),
  kind: choice(COMMAND_KINDS)('Kind of the command: `row` commands look at one row at a time.', 'transforming'),
  columns: orNull(
    arrayOf(record({ name: string('Name of the column.', 'count'), type: string('Type of the values.', 'long') })),
  )('Columns after the command; null where rows may have others.'),
});

export const mistakes = arrayOf(finding)('Errors, in the order of the text; empty where it can run.');
export const warnings = arrayOf(finding)('Warnings, in the order of the text.');
export const hints = arrayOf(hint)('Hints to the errors and warnings, in the order of the text.');

/** Of an answer that has more to say than findings. */
export const findingsBeside = {
  warnings: optional(arrayOf(finding)('Warnings about the text, in its order; absent where there are none.')),
  hints: optional(arrayOf(hint)('Hints to the warnings; absent where there are none.')),
};

export const createdWithFindings = record({ guid: guidText('GUID of the new object.'), ...findingsBeside });

/** Of an operation that accepts any text. */
export const createdWithMistakes = record({
  guid: guidText('GUID of the new object.'),
  mistakes: optional(arrayOf(finding)('Errors of the text, in its order; absent where there are none.')),
  ...findingsBeside,
});
