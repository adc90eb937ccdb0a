// What a logger may refer to, checked in the order of the parameters.

import { notFound } from '#contract/errors.ts';
import { NODE_NAME } from '#contract/values.ts';
import type { Db } from '#store/kysely.ts';
import { findTable, modelExists } from './store.ts';

export interface References {
  readonly model_guid: string;
  readonly table_name: string;
  readonly group_guid: string | undefined;
  readonly node: string;
}

export async function requireReferences(db: Db, { model_guid, table_name, group_guid, node }: References) {
  if (!(await modelExists(db, model_guid))) throw notFound('logger model', model_guid);
  if (!(await findTable(db, table_name))) throw notFound('table', table_name);
  // No logger group exists yet, so none can be named.
  if (group_guid !== undefined) throw notFound('logger group', group_guid);
  if (node !== NODE_NAME) throw notFound('node', node);
}
