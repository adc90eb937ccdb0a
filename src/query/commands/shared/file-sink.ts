// The shared part of the commands that write files: path, fields and the right to write.

import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, charset, flag, orElse } from '#query/language/option-readers.ts';
import { quoted, unescaped } from '#query/language/strings.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { InnerText } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Output, OutputForm } from '#query/plan-nodes/output.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { pathAt, pathParts, relativeTo, staysInside } from '#query/values/export-paths.ts';
import { CHARSETS } from '#query/values/text/charsets.ts';
import { OPTION_SUMMARIES } from './option-summaries.ts';

const off = orElse(false, flag);

export const overwriteOptions = {
  append: about(off, { en: 'Adds to a file that exists.', ko: '있는 파일에 덧붙입니다.' }),
  overwrite: about(off, { en: 'Replaces a file that exists.', ko: '있는 파일을 바꿉니다.' }),
} as const;
export const partitionOption = {
  partition: about(off, {
    en: 'Writes several files, named by the values of fields.',
    ko: '필드 값으로 이름 붙인 여러 파일에 씁니다.',
  }),
} as const;
export const encodingOption = { encoding: about(orElse('utf-8', charset), OPTION_SUMMARIES.encoding) } as const;

export const ENCODING_RULE = `Encodings: ${CHARSETS.map((name) => `\`${name}\``).join(', ')} (any other is 30104); a character that an encoding does not have becomes \`?\`.`;

export const FILE_RULES = [
  'PATH is relative to the export folder of the service, or an absolute path below it. It may contain `{now:PATTERN}`, the time of the run, and with `partition=t` `{logtime:PATTERN}`, the time of the row. An ending such as `.csv` in PATTERN is text.',
  'The file gets its name when the command ends; a failed query leaves no file. Only administrators may write files (30103), with mode 0600; rows of encrypted tables are written unencrypted.',
  'A path has no empty step, `.` or NUL, at most 1,024 bytes and 255 for a name, and `.unfinished` is reserved (30100); links are followed inside of the folder. A path of something other than a file is 30101.',
  '`append=t` copies the file, so its cost grows with the length of the file, and wins over `overwrite=t`; a heading is written only to a new file. Of several files that `overwrite=t` writes at once the last stays. `{logtime:…}` uses `_time`, or the time of the run, in the zone of the query; at most 10,000 files. Without rows one file is written, which is empty except for a heading.',
  'Each file of a successful query writes an audit entry (`query.export`). A full disk ends the query with 93003. A sink in a subquery writes like any other sink.',
  'Behind `window=` rows are written as they come, at most a second behind (see `import`): a file gets its name with the first of them.',
];

export const FILE_ERRORS = [30100, 30101, 30103, 30104, 99000] as const;

interface FileTarget {
  readonly path: Name & { readonly inner: InnerText };
  readonly names: readonly Name[];
}

export function* takeTarget(words: Words, needsNames: boolean): SlicedWork<FileTarget> {
  const path = takePath(words);
  if (needsNames && words.isDone) throw new QueryError(30102, words.endSpan, { what: { term: 'field' } });
  const names = words.isDone ? [] : yield* words.takeNames([], () => words.tooFew({ term: 'field' }));
  return { path, names };
}

function takePath(words: Words): FileTarget['path'] {
  const token = words.takeString();
  if (token) {
    const inner = unescaped(token);
    if (inner.text === '') throw new QueryError(90201, token, { token: '""' });
    return { text: inner.text, inner, begin: token.begin, end: token.end };
  }
  // A parameter is a value and never becomes a name.
  const word = words.startsWith('$(') ? undefined : words.takeWord();
  if (!word) throw words.tooFew({ term: 'path' });
  const text = word.text.normalize();
  return { text, inner: { text, offset: (index) => word.begin + index }, begin: word.begin, end: word.end };
}

/** 30100 with the last step of the path, which is a name in the folder. */
function outside({ text, begin, end }: Name): QueryError {
  const [last = ''] = text.split('/').slice(-1);
  if (!staysInside(last)) return new QueryError(30100, { begin, end });
  const hint = { code: 91061, values: { path: last }, replacement: pathText(last) } as const;
  return new QueryError(30100, { begin, end }, {}, { hints: [hint] });
}

const pathText = (path: string): string => (BARE_PATH.test(path) ? path : quoted(path));

const BARE_PATH = /^[\p{L}\p{Nd}_][\p{L}\p{Nd}_.:/{}*-]*$/u;

export const targetText = ({ path, names }: FileTarget): string =>
  [pathText(path.text), ...(names.length > 0 ? [fieldsText(names, [])] : [])].join(' ');

interface SinkOptions {
  readonly append: boolean | undefined;
  readonly overwrite: boolean | undefined;
  readonly partition: boolean | undefined;
}

export function* fileSink(
  { path, names }: FileTarget,
  form: OutputForm,
  planning: CommandPlanning<SinkOptions>,
): SlicedWork<Output> {
  const { append = false, overwrite = false, partition = false } = planning.options;
  const { queryContext, context } = planning;
  const { exports, now } = queryContext;
  if (!exports) throw new QueryError(30103, path, { name: path.text });
  const parts = pathParts(relativeTo(exports.folder, path.inner));
  const isByRow = parts.some((part) => typeof part !== 'string' && part.moment === 'logtime');
  if (isByRow && !partition) throw new QueryError(90008, path, { name: 'partition', value: 'f', expected: 't' });
  // Only digits, names and offsets differ between dates, so the path for one date is representative.
  const first = pathAt(parts, { logtime: now, now, zone: context.zone });
  if (!staysInside(first)) throw outside(path);
  const found = exports.look(first);
  if (found === 'outside') throw outside(path);
  const isKnown = parts.every((part) => typeof part === 'string' || part.moment === 'now');
  const isTaken = found === 'blocked' || (found === 'taken' && !append && !overwrite);
  if (isKnown && isTaken) throw new QueryError(30101, path, { name: first });
  // Warns about names that no row has.
  yield* mapSliced(names, (name) => planning.field(name));
  return {
    ...planning.step(planning.rows),
    ...planning.account,
    kind: 'output',
    form,
    path: parts,
    append,
    overwrite,
    ...(names.length > 0 ? { names: names.map(({ text }) => text) } : {}),
  };
}
