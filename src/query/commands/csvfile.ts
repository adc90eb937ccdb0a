import { about, flag, orElse, whole } from '#query/language/option-readers.ts';
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

export const csvfile = command({
  name: 'csvfile',
  class: 'driver',
  syntax: 'csvfile [offset=0] [limit=N] [tab=f] [maxcol=N] [encoding=utf-8] PATH',
  summary: {
    en: 'Reads files of comma-separated values below the import folders; the first line names the columns.',
    ko: '가져오기 폴더의 CSV 파일을 읽습니다.',
  },
  rules: [
    'Values are texts, as `parsecsv` with the names of the first line reads them: a value without a name is `columnN`, a missing one is null. A quoted value may contain line ends. Blank lines are skipped. `tab=t` separates by tabs; `maxcol=N` reads the first N columns.',
    ...IMPORT_RULES,
  ],
  errors: IMPORT_ERRORS,
  examples: [
    {
      files: { '/import/a.csv': 'name,n\nkim,1\nlee,2\n' },
      query: 'csvfile offset=1 /import/a.csv | fields name, n',
      gives: [{ name: 'lee', n: '2' }],
    },
    {
      files: { '/import/a.csv': 'name,n\n"a\nb",1,x\n' },
      query: 'csvfile maxcol=1 a.csv | fields name, n, column2',
      gives: [{ name: 'a\nb' }],
    },
    {
      files: { '/import/a.tsv': 'name\tn\nkim\t1,5\nlee\t2\n' },
      query: 'csvfile limit=1 tab=t a.tsv | fields name, n',
      gives: [{ name: 'kim', n: '1,5' }],
    },
  ],
  options: {
    ...cutOptions,
    tab: about(orElse(false, flag), OPTION_SUMMARIES.tab),
    maxcol: about(whole(1), { en: 'Largest number of columns.', ko: '컬럼의 최대 수입니다.' }),
    ...encodingOption,
  },
  optionsMayFollow: true,
  read: takeText,
  text: writtenText,
  plan(path, planning) {
    const { tab = false, maxcol } = planning.options;
    const most = maxcol === undefined ? {} : { maxColumns: Number(maxcol) };
    const form = { format: 'csv', separator: tab ? '\t' : ',', ...most } as const;
    return fileRows(path, { form, fields: [], isOpen: true }, planning);
  },
});
