import { about, orElse, text } from '#query/language/option-readers.ts';
import { command, noObjects } from '#query/planning/command.ts';
import { groupOptions, guidWritten, matchedRows } from './shared/group-match.ts';

export const matchport = command({
  name: 'matchport',
  class: 'processing',
  syntax: 'matchport [port=dst_port] [protocol=protocol] guid=GUID [invert=f] [tag=f]',
  summary: {
    en: 'Keeps the rows whose protocol and port match an entry of the port group, such as `tcp/22` or `udp/1000-2000`.',
    ko: '프로토콜과 포트가 포트 그룹의 항목과 맞는 행만 남깁니다.',
  },
  rules: [
    'The protocol is compared without regard to case. A row without port or protocol belongs to no group. `invert=t` keeps the other rows.',
    '`tag=t` keeps all rows and adds the boolean `_matchport`, after `invert`.',
    'Entries other than protocol, slash, port or range, and ports above 65,535, are skipped.',
  ],
  errors: [21300, 21301],
  examples: [
    {
      groups: { '22222222-2222-2222-2222-222222222222': ['tcp/22', 'udp/1000-2000'] },
      tables: {
        given: [
          { dst_port: 22, protocol: 'TCP' },
          { dst_port: '1500', protocol: 'udp' },
          { dst_port: 22, protocol: 'udp' },
          { dst_port: 22 },
        ],
      },
      query: 'table given | matchport guid=22222222-2222-2222-2222-222222222222',
      gives: [
        { dst_port: 22, protocol: 'TCP' },
        { dst_port: '1500', protocol: 'udp' },
      ],
    },
    {
      groups: { '22222222-2222-2222-2222-222222222222': ['tcp/22', 'udp/1000-2000'] },
      tables: {
        given: [
          { p: 22, via: 'tcp' },
          { p: 2000, via: 'UDP' },
          { p: 2001, via: 'udp' },
          { p: 22, via: 'udp' },
        ],
      },
      query: 'table given | matchport port=p protocol=via guid=22222222-2222-2222-2222-222222222222 invert=t tag=t',
      gives: [
        { p: 22, via: 'tcp', _matchport: false },
        { p: 2000, via: 'UDP', _matchport: false },
        { p: 2001, via: 'udp', _matchport: true },
        { p: 22, via: 'udp', _matchport: true },
      ],
    },
  ],
  options: {
    port: about(orElse('dst_port', text), { en: 'Field with the port.', ko: '포트 필드입니다.' }),
    protocol: about(orElse('protocol', text), { en: 'Field with the protocol.', ko: '프로토콜 필드입니다.' }),
    ...groupOptions,
  },
  ...noObjects,
  read: (_, { options, nameSpan }) => guidWritten(options.guid, nameSpan),
  plan(at, planning) {
    const { port = 'dst_port', protocol = 'protocol' } = planning.options;
    const values = [planning.quietField(port), planning.quietField(protocol)];
    return matchedRows({ name: 'matchport', at, values }, planning);
  },
});
