import { command } from '#query/planning/command.ts';
import {
  cutOptions,
  encodingOption,
  fileRows,
  IMPORT_ERRORS,
  IMPORT_RULES,
  takeText,
  textIn,
  writtenText,
} from './shared/file-source.ts';

export const zipfile = command({
  name: 'zipfile',
  class: 'driver',
  syntax: 'zipfile [offset=0] [limit=N] [encoding=utf-8] PATH ENTRY',
  summary: {
    en: 'Reads entries of ZIP archives below the import folders: a row for each line, in the field `line`.',
    ko: '가져오기 폴더의 압축 파일에 든 파일을 읽습니다.',
  },
  rules: [
    'ENTRY is the name of an entry, or a pattern in which each `*` stands for any run of characters: all entries that fit, in the order of their names. The field `_entry` is the name of the entry.',
    'Entries are stored or deflated, in archives of the plain or the 64-bit form; an encrypted entry is 10801.',
    ...IMPORT_RULES,
  ],
  errors: IMPORT_ERRORS,
  examples: [{ query: 'zipfile /etc/a.zip *.log', refused: { code: 10800, begin: 8, end: 18 } }],
  options: { ...cutOptions, ...encodingOption },
  *read(words) {
    return { path: yield* takeText(words), entry: yield* takeText(words) };
  },
  optionsMayFollow: true,
  text: ({ path, entry }) => `${writtenText(path)} ${writtenText(entry)}`,
  plan({ path, entry }, planning) {
    const form = { format: 'zip', entry: textIn(entry, planning) ?? '' } as const;
    const fields = [
      ['line', 'string'],
      ['_entry', 'string'],
    ] as const;
    return fileRows(path, { form, fields, isOpen: false }, planning);
  },
});
