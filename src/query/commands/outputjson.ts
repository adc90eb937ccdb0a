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

export const outputjson = command({
  name: 'outputjson',
  class: 'sink',
  syntax: 'outputjson [append=f] [overwrite=f] [encoding=utf-8] [partition=f] PATH [names]',
  summary: {
    en: 'Writes every row, or its named fields, to a file of JSON objects, one a line, and passes the row on.',
    ko: '각 행 또는 지정한 필드를 한 줄에 JSON 객체 하나인 파일에 쓰고 행을 내보냅니다.',
  },
  rules: ['Each line is the result of `tojson`.', ENCODING_RULE, ...FILE_RULES],
  errors: FILE_ERRORS,
  examples: [
    {
      tables: { given: [{ a: 1, b: 'x' }, { b: null }] },
      query: 'table given | outputjson out/a.json | outputtxt delimiter="; " out/a.txt a, b',
      gives: [{ a: 1, b: 'x' }, {}],
      writes: { 'out/a.json': '{"a":1,"b":"x"}\n{}\n', 'out/a.txt': '1; x\n; \n' },
    },
    {
      tables: { given: [{ a: 1, b: 'x' }] },
      query: 'table given | outputjson out/b.json b | eval a = 2 | outputjson overwrite=t out/c.json a',
      gives: [{ a: 2, b: 'x' }],
      writes: { 'out/b.json': '{"b":"x"}\n', 'out/c.json': '{"a":2}\n' },
    },
  ],
  options: { ...overwriteOptions, ...encodingOption, ...partitionOption },
  read: (words) => takeTarget(words, false),
  text: targetText,
  plan(target, planning) {
    const { encoding = 'utf-8' } = planning.options;
    return fileSink(target, { format: 'json', encoding }, planning);
  },
});
