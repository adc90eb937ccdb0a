import { about, flag, optionSpan, orElse, text } from '#query/language/option-readers.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command, noObjects } from '#query/planning/command.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';
import { PARSE_RULES, parseFields } from './shared/parse-family.ts';

export const parsemap = command({
  name: 'parsemap',
  class: 'processing',
  syntax: 'parsemap field=F [overlay=f] or parsemap [overlay=f] F',
  summary: { en: 'Turns the keys of a map into fields.', ko: '맵의 키를 필드로 만듭니다.' },
  rules: [
    'A value that is no map counts as unreadable, including text of a JSON object, which `parsejson` reads.',
    ...PARSE_RULES,
  ],
  errors: [90012, 99000],
  examples: [
    {
      tables: { given: [{ m: { a: 1, b: 'x' }, k: 2 }, { m: 5 }] },
      query: 'table given | parsemap field=m overlay=t | fields a, b, k',
      gives: [{ a: 1, b: 'x', k: 2 }, {}],
    },
    {
      tables: { given: [{ m: { a: 1 }, k: 2 }] },
      query: 'table given | parsemap overlay=t m',
      normalized: 'table given | parsemap field=m overlay=t',
      gives: [{ m: { a: 1 }, k: 2, a: 1 }],
    },
  ],
  options: {
    field: about(text, OPTION_SUMMARIES.field),
    overlay: about(orElse(false, flag), OPTION_SUMMARIES.overlay),
  },
  objectOption: 'field',
  ...noObjects,
  read(words, { options }) {
    if (!options.field) throw new QueryError(99000, words.endSpan, { what: 'field=' });
    return options.field.at;
  },
  plan(at, planning) {
    if (planning.options.field === undefined && !planning.isPending('field')) {
      throw new QueryError(99000, optionSpan(at), { what: 'field=' });
    }
    return parseFields({ format: 'map' }, planning);
  },
});
