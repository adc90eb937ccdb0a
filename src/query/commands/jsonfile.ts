import { about, flag, orElse } from '#query/language/option-readers.ts';
import { command } from '#query/planning/command.ts';
import {
  cutOptions,
  encodingOption,
  fileRows,
  IMPORT_ERRORS,
  IMPORT_RULES,
  takeText,
  writtenText,
} from './shared/file-source.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

export const jsonfile = command({
  name: 'jsonfile',
  class: 'driver',
  syntax: 'jsonfile [offset=0] [limit=N] [overlay=f] [encoding=utf-8] PATH',
  summary: {
    en: 'Reads files of JSON below the import folders: an object in each line, or one list of objects.',
    ko: '가져오기 폴더의 JSON 파일을 읽습니다.',
  },
  rules: [
    'A line, or an element of the list, that is no object gives a row with `line`; `overlay=t` keeps `line` beside the fields, unless the object has a field of this name. Blank lines are skipped. A list is read element by element, each of at most 1 MiB.',
    ...IMPORT_RULES,
  ],
  errors: IMPORT_ERRORS,
  examples: [
    {
      files: { '/import/a.json': '{"n":1}\nno\n' },
      query: 'jsonfile /import/*.json | fields n, line',
      gives: [{ n: 1 }, { line: 'no' }],
    },
    {
      files: { '/import/a.json': '[{"n":1},\n {"n":2}]' },
      query: 'jsonfile overlay=t a.json | fields n, line',
      gives: [
        { n: 1, line: '{"n":1}' },
        { n: 2, line: '{"n":2}' },
      ],
    },
    {
      files: { '/import/a.json': '{"n":1}\n{"n":2}\n{"n":3}\n' },
      query: 'jsonfile offset=1 limit=1 a.json | fields n',
      gives: [{ n: 2 }],
    },
  ],
  options: { ...cutOptions, overlay: about(orElse(false, flag), OPTION_SUMMARIES.overlay), ...encodingOption },
  read: takeText,
  text: writtenText,
  plan(path, planning) {
    const form = { format: 'json', overlay: planning.options.overlay ?? false } as const;
    return fileRows(path, { form, fields: [['line', 'any']], isOpen: true }, planning);
  },
  optionsMayFollow: true,
});
