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

export const textfile = command({
  name: 'textfile',
  class: 'driver',
  syntax: 'textfile [offset=0] [limit=N] [encoding=utf-8] PATH',
  summary: {
    en: 'Reads text files below the import folders: a row for each line, in the field `line`.',
    ko: '가져오기 폴더의 텍스트 파일을 한 줄에 한 행으로 읽습니다.',
  },
  rules: IMPORT_RULES,
  errors: IMPORT_ERRORS,
  examples: [
    {
      files: { '/import/a.txt': 'x\ny\n' },
      query: 'textfile limit=1 a.txt | fields line',
      gives: [{ line: 'x' }],
    },
    { query: 'textfile /etc/hosts', refused: { code: 10800, begin: 9, end: 19 } },
    {
      files: { '/import/a.txt': 'x\ny\nz\n' },
      query: 'textfile offset=1 a.txt | fields line',
      gives: [{ line: 'y' }, { line: 'z' }],
    },
  ],
  options: { ...cutOptions, ...encodingOption },
  optionsMayFollow: true,
  read: takeText,
  text: writtenText,
  plan: (path, planning) =>
    fileRows(path, { form: { format: 'text' }, fields: [['line', 'string']], isOpen: false }, planning),
});
