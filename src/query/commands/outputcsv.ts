import { about, flag, orElse } from '#query/language/option-readers.ts';
import { command } from '#query/planning/command.ts';
import {
  ENCODING_RULE,
  encodingOption,
  FILE_ERRORS,
  FILE_RULES,
  fileSink,
  overwriteOptions,
  partitionOption,
  takeTarget,
  targetText,
} from './shared/file-sink.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

export const outputcsv = command({
  name: 'outputcsv',
  class: 'sink',
  syntax: 'outputcsv [append=f] [overwrite=f] [bom=f] [encoding=utf-8] [tab=f] [partition=f] PATH names',
  summary: {
    en: 'Writes the named fields of every row to a file of comma-separated values and passes the row on.',
    ko: '각 행의 지정한 필드를 쉼표로 나눈 파일에 쓰고 행을 내보냅니다.',
  },
  rules: [
    'The file has a heading line and a line for each row, each ending in LF and quoted by RFC 4180; null is empty.',
    ENCODING_RULE,
    ...FILE_RULES,
    'An empty text is `""`. `bom=t` writes a byte order mark in the Unicode encodings.',
  ],
  errors: [...FILE_ERRORS.slice(0, 2), 30102, 30103, 30104, 99000],
  examples: [
    {
      tables: { given: [{ a: 1 }] },
      query: 'table given | outputcsv /export/out/{now:yyyyMMdd_HHmm.csv} a',
      normalized: 'table given | outputcsv "/export/out/{now:yyyyMMdd_HHmm.csv}" a',
      gives: [{ a: 1 }],
      writes: { 'out/20261115_1200.csv': 'a\n1\n' },
    },
    {
      tables: { given: [{ a: 1, _time: '@2026-11-14 10:00:00+0900' }] },
      query: 'table given | outputcsv partition=t "{logtime:/yyyy/MM/}{now:HHmm.csv.gz}" a | fields a',
      gives: [{ a: 1 }],
      writes: { '2026/11/1200.csv.gz': 'a\n1\n' },
    },
    {
      tables: { given: [{ a: 1 }] },
      query: 'table given | outputcsv /tmp/a.csv a',
      refused: { code: 30100, begin: 24, end: 34, hints: [91061] },
    },
    {
      tables: { given: [{ a: 1, b: 'x,y' }, { b: null }] },
      query: 'table given | outputcsv out/a.csv a, b | stats count',
      gives: [{ count: 2 }],
      writes: { 'out/a.csv': 'a,b\n1,"x,y"\n,\n' },
    },
    {
      tables: { given: [{ a: 'x y', b: '' }, { a: 'x\ty' }] },
      query: 'table given | outputcsv bom=t tab=t out/b.csv a, b | stats count',
      gives: [{ count: 2 }],
      writes: { 'out/b.csv': '\ufeffa\tb\nx y\t""\n"x\ty"\t\n' },
    },
  ],
  options: {
    ...overwriteOptions,
    bom: about(orElse(false, flag), {
      en: 'Begins the file with a byte order mark.',
      ko: '파일을 바이트 순서 표시로 시작합니다.',
    }),
    ...encodingOption,
    tab: about(orElse(false, flag), OPTION_SUMMARIES.tab),
    ...partitionOption,
  },
  read: (words) => takeTarget(words, true),
  text: targetText,
  plan(target, planning) {
    const { bom: mark = false, encoding = 'utf-8', tab = false } = planning.options;
    return fileSink(target, { format: 'csv', separator: tab ? '\t' : ',', mark, encoding }, planning);
  },
});
