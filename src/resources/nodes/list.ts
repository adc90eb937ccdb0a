// GET /nodes

import type { Nodes } from '#cluster/members/membership.ts';
import { searchKeyword, searchText } from '#kernel/text/search-text.ts';
import { listOf } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { keywords, paging } from '#operations/params/params.ts';
import { nodeRecord, toRecord } from './model.ts';

export const list = endpoint({
  title: 'List nodes',
  notes:
    'The processes of this installation by name, those that have gone included. A node is `gone` when it has stopped, or ' +
    'has not renewed its lease for `node-lease` seconds of the clock of the database. `keywords` is contained in the ' +
    'name. Not audited.',
  method: 'GET',
  path: '/api/core/nodes',
  access: 'MEMBER',
  params: { ...paging, keywords },
  answer: listOf('nodes', nodeRecord),

  async run({ offset, limit, keywords }, { caller, nodes, zone }: Call & { nodes: Nodes; zone: string }) {
    const known = await nodes.list();
    const matching = known.filter(
      ({ name }) => keywords === undefined || searchText([name]).includes(searchKeyword(keywords)),
    );
    const page = matching.slice(offset, offset + limit);
    return { total_count: matching.length, nodes: page.map((node) => toRecord(node, { role: caller.role, zone })) };
  },
});
