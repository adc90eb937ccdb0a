// `system nodes`: the records of the nodes, as an account may see them.

import type { Nodes } from '#cluster/members/membership.ts';
import { listedAtOnce, recordRow, type SystemObject } from '#queries/runs/system-rows.ts';
import { toRecord } from './model.ts';

const DATES = ['started', 'last_seen'];

export const nodeObject = ({ nodes, zone }: { readonly nodes: Nodes; readonly zone: string }): SystemObject =>
  listedAtOnce('MEMBER', async ({ account: { role } }) =>
    (await nodes.list()).map((node) => {
      const [type = null] = node.types;
      return recordRow(toRecord(node, { role, zone }), DATES)
        .set('type', type)
        .set('is_alive', node.state === 'alive');
    }),
  );
