// GET /tables/:table

import { grantee } from '#access/rights/table-rights.ts';
import type { Nodes } from '#cluster/members/membership.ts';
import type { SilentSources } from '#detection/alarms/silent-sources.ts';
import type { LogStore } from '#logs/log-store.ts';
import { listGrants, onTable } from '#objects/grants.ts';
import { orNull, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { foundOrNull } from '#operations/shared-fields.ts';
import { specOf, TableRecords, wholeTableRecord } from './model.ts';
import { table } from './params.ts';
import { findTable } from './store.ts';

interface Needs {
  readonly engine: LogStore;
  readonly silentSources: SilentSources;
  readonly nodes: Nodes;
  readonly zone: string;
}

export const get = endpoint({
  title: 'Get table',
  notes:
    'A table the caller may not see is null, like one that does not exist. Grants are shown as far as their holders are.',
  method: 'GET',
  path: '/api/core/tables/:table',
  access: 'MEMBER',
  params: { table },
  answer: record({ table: orNull(wholeTableRecord)(foundOrNull('table')) }),

  async run(input, { db, caller, engine, silentSources, nodes, zone }: Call & Needs) {
    const row = await findTable(db, input.table, grantee(caller));
    if (!row) return { table: null };
    const grants = [
      ...(await listGrants(db, onTable(row.id), 'user', caller)),
      ...(await listGrants(db, onTable(row.id), 'group', caller)),
    ];
    const records = await TableRecords.of([row], { engine, zone });
    const silentSince = silentSources.silentSince('table', row.name);
    const location = await engine.locationOf(specOf(row));
    return { table: records.whole(row, { grants, silentSince, engine: location, node: nodes.own.name }) };
  },
});
