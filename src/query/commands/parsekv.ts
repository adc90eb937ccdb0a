import { about, flag, orElse, text } from '#query/language/option-readers.ts';
import { command, noObjects } from '#query/planning/command.ts';
import { PARSE_RULES, parseFields, parseOptions } from './shared/parse-family.ts';

export const parsekv = command({
  name: 'parsekv',
  class: 'processing',
  syntax: 'parsekv [field=line] [overlay=f] [pairdelim=" "] [kvdelim="="] [quote=f] [F]',
  summary: { en: 'Extracts pairs of key and value from text.', ko: '텍스트에서 키와 값의 쌍을 뽑습니다.' },
  rules: [
    'The text is split at each `pairdelim`, each piece at its first `kvdelim`; both are literal. Keys and values are trimmed, values are strings, and a piece without `kvdelim` is a key with the value null.',
    '`quote=t`: a value that begins with `"` extends to the next `"` without a backslash before it; the quotes are removed.',
    ...PARSE_RULES,
  ],
  errors: [90008, 90012],
  examples: [
    {
      tables: { given: [{ line: 'a=1 b= flag c=x=y a=2' }, { line: null, z: 1 }] },
      query: 'table given | parsekv',
      gives: [{ a: '1', b: '', flag: null, c: 'x=y' }, { z: 1 }],
    },
    {
      tables: { given: [{ line: 'msg: "hi, you", n: 3' }] },
      query: 'table given | parsekv quote=t kvdelim=":" pairdelim=","',
      normalized: 'table given | parsekv pairdelim="," kvdelim=":" quote=t',
      gives: [{ msg: 'hi, you', n: '3' }],
    },
    {
      tables: { given: [{ m: 'a=1' }] },
      query: 'table given | parsekv m',
      normalized: 'table given | parsekv field=m',
      gives: [{ a: '1' }],
    },
    {
      tables: { given: [{ m: 'a=1', k: 2 }] },
      query: 'table given | parsekv field=m overlay=t',
      gives: [{ m: 'a=1', k: 2, a: '1' }],
    },
  ],
  options: {
    ...parseOptions,
    pairdelim: about(orElse(' ', text), { en: 'Text between two pairs.', ko: '쌍 사이의 텍스트입니다.' }),
    kvdelim: about(orElse('=', text), { en: 'Text between a key and its value.', ko: '키와 값 사이의 텍스트입니다.' }),
    quote: about(orElse(false, flag), {
      en: 'Values may stand in double quotes.',
      ko: '값을 큰따옴표로 둘러쌀 수 있습니다.',
    }),
  },
  objectOption: 'field',
  ...noObjects,
  plan(_, planning) {
    const { pairdelim = ' ', kvdelim = '=', quote = false } = planning.options;
    return parseFields({ format: 'kv', pairDelimiter: pairdelim, keyDelimiter: kvdelim, quote }, planning);
  },
});
