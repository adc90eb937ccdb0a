import { about, orElse, text } from '#query/language/option-readers.ts';
import { withColumn } from '#query/model/columns.ts';
import { command, noObjects } from '#query/planning/command.ts';
import { groupOptions, guidWritten, knownGroup } from './shared/group-match.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

export const matchnet = command({
  name: 'matchnet',
  class: 'processing',
  syntax: 'matchnet [field=src_ip] guid=GUID [invert=f] [tag=f]',
  summary: {
    en: 'Keeps the rows whose field is an address of the address group.',
    ko: '필드가 주소 그룹의 주소인 행만 남깁니다.',
  },
  rules: [
    'Null and values that are no address belong to no group. `invert=t` keeps the other rows.',
    '`tag=t` keeps all rows and adds the boolean `_matchnet`, after `invert`.',
  ],
  errors: [21300, 21301],
  examples: [
    {
      groups: { '11111111-1111-1111-1111-111111111111': ['10.0.0.0/8', '192.168.0.5-192.168.0.9', '2001:db8::/32'] },
      tables: { given: [{ ip: '10.1.2.3' }, { ip: '192.168.0.10' }, { ip: '2001:DB8:0::1' }, { ip: null }] },
      query: 'table given | matchnet field=ip guid=11111111-1111-1111-1111-111111111111',
      gives: [{ ip: '10.1.2.3' }, { ip: '2001:DB8:0::1' }],
    },
    {
      groups: { '11111111-1111-1111-1111-111111111111': ['10.0.0.0/8'] },
      tables: { given: [{ src_ip: '10.1.2.3' }, { src_ip: '192.168.0.10' }, { src_ip: null }] },
      query: 'table given | matchnet guid=11111111-1111-1111-1111-111111111111 invert=t tag=t',
      gives: [
        { src_ip: '10.1.2.3', _matchnet: false },
        { src_ip: '192.168.0.10', _matchnet: true },
        { src_ip: null, _matchnet: true },
      ],
    },
  ],
  options: { field: about(orElse('src_ip', text), OPTION_SUMMARIES.field), ...groupOptions },
  ...noObjects,
  read: (_, { options, nameSpan }) => guidWritten(options.guid, nameSpan),
  plan(at, planning) {
    const { field = 'src_ip', invert = false, tag = false } = planning.options;
    const guid = knownGroup(at, planning);
    const common = { kind: 'matchnet', source: planning.quietField(field), guid, invert } as const;
    if (!tag) return { ...planning.step(planning.rows), ...common };
    const column = planning.newColumn('_matchnet', 'bool');
    return { ...planning.step(withColumn(planning.rows, column)), ...common, tag: column };
  },
});
