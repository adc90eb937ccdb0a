import { about, flag, orElse, text } from '#query/language/option-readers.ts';
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

export const outputtxt = command({
  name: 'outputtxt',
  class: 'sink',
  syntax: 'outputtxt [append=f] [overwrite=f] [delimiter=" "] [encoding=utf-8] [gz=f] [partition=f] PATH names',
  summary: {
    en: 'Writes the named fields of every row to a line of a text file and passes the row on.',
    ko: '각 행의 지정한 필드를 텍스트 파일의 한 줄에 쓰고 행을 내보냅니다.',
  },
  rules: ['Values are written unquoted with the delimiter between them; null is empty.', ENCODING_RULE, ...FILE_RULES],
  errors: [...FILE_ERRORS.slice(0, 2), 30102, 30103, 30104, 99000],
  examples: [
    {
      tables: { given: [{ a: 1, b: 'x' }, { a: 2 }] },
      query: 'table given | outputtxt delimiter="|" out/b.txt b, a',
      gives: [{ a: 1, b: 'x' }, { a: 2 }],
      pushes: [2, 2],
      writes: { 'out/b.txt': 'x|1\n|2\n' },
    },
    {
      tables: { given: [{ a: 'é' }] },
      query: 'table given | outputtxt encoding=us-ascii out/c.txt a',
      gives: [{ a: 'é' }],
      writes: { 'out/c.txt': '?\n' },
    },
  ],
  options: {
    ...overwriteOptions,
    delimiter: about(orElse(' ', text), { en: 'Text between two values.', ko: '값 사이의 텍스트입니다.' }),
    ...encodingOption,
    gz: about(orElse(false, flag), { en: 'Compresses the file with gzip.', ko: '파일을 gzip으로 압축합니다.' }),
    ...partitionOption,
  },
  read: (words) => takeTarget(words, true),
  text: targetText,
  plan(target, planning) {
    const { delimiter = ' ', encoding = 'utf-8', gz: gzip = false } = planning.options;
    return fileSink(target, { format: 'txt', delimiter, encoding, gzip }, planning);
  },
});
