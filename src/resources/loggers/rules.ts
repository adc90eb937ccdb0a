// References of a logger, checked in the order of the parameters.

import type { Nodes } from '#cluster/members/membership.ts';
import { EVERY_NODE } from '#collectors/assignment.ts';
import { notFound } from '#contract/errors.ts';
import { requireAlarmGroup } from '#objects/expectations.ts';
import type { Db } from '#store/kysely.ts';
import { resolveReferences } from '#store/rows/resolve.ts';
import { factoryNameOf } from './store.ts';

const isBalanced = (kind: string | null): boolean => kind?.startsWith('syslog-') ?? false;

interface References {
  readonly model_guid: string;
  readonly table_name: string;
  readonly group_guid: string | undefined;
  readonly node: string;
  readonly alarm_group_guid: string | undefined;
}

/** The node is known, or all data nodes of a kind that a balancer can stand before. */
export async function requireReferences(db: Db, references: References, nodes: Nodes) {
  const { model_guid, table_name, group_guid, node, alarm_group_guid } = references;
  const { missing } = await resolveReferences(db, [
    { thing: 'logger model', key: model_guid },
    { thing: 'table', key: table_name },
    ...(group_guid === undefined ? [] : [{ thing: 'logger group', key: group_guid } as const]),
  ]);
  const [first] = missing;
  if (first) throw notFound(first.thing, first.key);
  const isKnown = node === EVERY_NODE ? isBalanced(await factoryNameOf(db, model_guid)) : await nodes.isKnown(db, node);
  if (!isKnown) throw notFound('node', node);
  await requireAlarmGroup(db, alarm_group_guid);
}
