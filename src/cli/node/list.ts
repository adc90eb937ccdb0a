// vigil node list

import { clientFlags, connect, paramsOf } from '#cli/kit/client.ts';
import type { Command, Flags } from '#cli/kit/command.ts';
import { type Field, jsonFlag, printList } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { Operations } from '#resources/index.ts';

type Node = Operations['GET /api/core/nodes']['answer']['nodes'][number];

const filters: Flags = {
  keywords: {
    hint: 'TEXT',
    about: { en: 'only nodes with this text in the name', ko: '이름에 이 글이 있는 노드만' },
    sends: 'keywords',
  },
};

const fields = ({ text }: Translator): readonly Field<Node>[] => [
  { title: 'field-node', text: ({ name, is_self }) => (is_self ? `${name} *` : name) },
  { title: 'field-node-state', text: ({ state }) => state, isBad: ({ state }) => state === 'gone' },
  { title: 'field-types', text: ({ types }) => types.join(', ') },
  { title: 'field-keeps-logs', text: ({ keeps_logs }) => text(keeps_logs ? 'yes' : 'no') },
  { title: 'field-address', text: ({ address }) => address ?? '-' },
  { title: 'field-version', text: ({ version }) => version },
  { title: 'field-started', isTime: true, text: ({ started }) => started },
  { title: 'field-last-seen', isTime: true, text: ({ last_seen }) => last_seen },
];

export const nodeList: Command = {
  name: 'node list',
  about: {
    en: 'list the nodes of the installation; a star marks the one that answers',
    ko: '설치의 노드를 나열합니다. 별표는 응답한 노드입니다',
  },
  flags: { ...filters, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const client = connect(invocation);
    const query = paramsOf<'GET /api/core/nodes'>(filters, invocation.flags);
    const { nodes } = await client.call('GET /api/core/nodes', query);
    await printList({ invocation, client }, nodes, fields(invocation.translator));
    return 0;
  },
};
