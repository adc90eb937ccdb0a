import { about, nameList, orElse } from '#query/language/option-readers.ts';
import { command, noObjects } from '#query/planning/command.ts';
import { groupOptions, guidWritten, matchedRows } from './shared/group-match.ts';

const FIELDS = ['src_ip', 'dst_ip'];

export const matchblackip = command({
  name: 'matchblackip',
  class: 'processing',
  syntax: 'matchblackip [fields=src_ip,dst_ip] guid=GUID [invert=f] [tag=f]',
  summary: {
    en: 'Keeps the rows in which at least one of the fields is an address of the address group.',
    ko: '필드 중 하나라도 주소 그룹의 주소인 행만 남깁니다.',
  },
  rules: [
    'Null and values that are no address belong to no group. `invert=t` keeps the other rows.',
    '`tag=t` keeps all rows and adds the boolean `_matchblackip`, after `invert`.',
    '`fields` cannot contain a name with a comma.',
  ],
  errors: [21300, 21301],
  examples: [
    {
      groups: { '33333333-3333-3333-3333-333333333333': ['203.0.113.0/24'] },
      tables: { given: [{ src_ip: '10.0.0.1', dst_ip: '203.0.113.9' }, { src_ip: '10.0.0.1' }] },
      query: 'table given | matchblackip tag=t guid=33333333-3333-3333-3333-333333333333',
      normalized: 'table given | matchblackip guid=33333333-3333-3333-3333-333333333333 tag=t',
      gives: [
        { src_ip: '10.0.0.1', dst_ip: '203.0.113.9', _matchblackip: true },
        { src_ip: '10.0.0.1', _matchblackip: false },
      ],
    },
    {
      groups: { '33333333-3333-3333-3333-333333333333': ['203.0.113.0/24'] },
      tables: { given: [{ a: '203.0.113.9', b: '10.0.0.1' }, { a: '10.0.0.1', b: '10.0.0.2' }, { b: '203.0.113.1' }] },
      query: 'table given | matchblackip fields=a,b guid=33333333-3333-3333-3333-333333333333 invert=t',
      gives: [{ a: '10.0.0.1', b: '10.0.0.2' }],
    },
  ],
  options: {
    fields: about(orElse<readonly string[]>(FIELDS, nameList), {
      en: 'Fields that are compared with the group.',
      ko: '그룹과 비교할 필드입니다.',
    }),
    ...groupOptions,
  },
  ...noObjects,
  read: (_, { options, nameSpan }) => guidWritten(options.guid, nameSpan),
  plan(at, planning) {
    const values = (planning.options.fields ?? FIELDS).map((field) => planning.quietField(field));
    return matchedRows({ name: 'matchblackip', at, values }, planning);
  },
});
