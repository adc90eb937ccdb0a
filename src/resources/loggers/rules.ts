// References of a logger, checked in the order of the parameters.

import { notFound } from '#contract/errors.ts';
import { NODE_NAME } from '#contract/values.ts';
import { requireAlarmGroup } from '#objects/expectations.ts';
import type { Db } from '#store/kysely.ts';
import { resolveReferences } from '#store/resolve.ts';

interface References {
  readonly model_guid: string;
  readonly table_name: string;
  readonly group_guid: string | undefined;
  readonly node: string;
  readonly alarm_group_guid: string | undefined;
}

export async function requireReferences(db: Db, references: References) {
  const { model_guid, table_name, group_guid, node, alarm_group_guid } = references;
  const { missing } = await resolveReferences(db, [
    { thing: 'logger model', key: model_guid },
    { thing: 'table', key: table_name },
    ...(group_guid === undefined ? [] : [{ thing: 'logger group', key: group_guid } as const]),
  ]);
  const [first] = missing;
  if (first) throw notFound(first.thing, first.key);
  if (node !== NODE_NAME) throw notFound('node', node);
  await requireAlarmGroup(db, alarm_group_guid);
}
