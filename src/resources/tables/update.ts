// PUT /tables/:table

import type { Collectors } from '#collectors/collectors.ts';
import { notFound } from '#contract/errors.ts';
import type { SilentSources } from '#detection/alarms/silent-sources.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { requireAlarmGroup } from '#objects/expectations.ts';
import { onTable, requireHolders, setGrants } from '#objects/grants.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { grants } from '#operations/params/json-params.ts';
import { guid } from '#operations/params/params.ts';
import { alarmGroup, expectEveryOrKept, schemaCode, table } from './params.ts';
import { requireGroup, requireSchema } from './rules.ts';
import { findTable, updateTable } from './store.ts';

export const update = endpoint({
  title: 'Update table',
  notes: 'Fields that are absent stay as they are. Grants replace those to users or groups that the caller may see.',
  method: 'PUT',
  path: '/api/core/tables/:table',
  access: 'ADMIN',
  audit: 'tables.update',
  params: {
    table,
    group_guid: described(guid, 'GUID of the table group.'),
    shared_users: described(grants, 'Users that the table is granted to; replaces the grants to users.'),
    shared_groups: described(grants, 'User groups that the table is granted to; replaces the grants to user groups.'),
    schema_code: schemaCode,
    expect_every: expectEveryOrKept,
    alarm_group_guid: alarmGroup,
  },
  answer: nothing,

  async run(input, call: Call & Needs) {
    const { db, caller, clock, collectors, silentSources, afterCommit } = call;
    const { group_guid, schema_code, expect_every, alarm_group_guid } = input;
    const row = await findTable(db, input.table);
    if (!row) throw notFound('table', input.table);
    const shared = [
      { kind: 'user', grants: input.shared_users },
      { kind: 'group', grants: input.shared_groups },
    ] as const;
    await requireGroup(db, group_guid);
    for (const { kind, grants = [] } of shared) {
      await requireHolders(db, { kind, guids: grants.map(({ guid }) => guid), caller });
    }
    await requireSchema(db, schema_code);
    await requireAlarmGroup(db, alarm_group_guid);
    const now = clock.now().epochMilliseconds;
    await updateTable(db, row.id, {
      ...(group_guid === undefined ? {} : { group_guid }),
      ...(schema_code === undefined ? {} : { schema_code }),
      ...(expect_every === undefined ? {} : { expect_every }),
      ...(expect_every === undefined || expect_every === row.expect_every ? {} : { expected_since: now }),
      ...(alarm_group_guid === undefined ? {} : { alarm_group_guid }),
      updated_at: now,
    });
    for (const { kind, grants } of shared) {
      if (grants) await setGrants(db, { granted: onTable(row.id), kind, grants, caller, now });
    }
    // The loggers of the table bring logs of another schema from now on.
    if (schema_code !== undefined) afterCommit(() => collectors.changed());
    if ((expect_every ?? alarm_group_guid) !== undefined) afterCommit(() => silentSources.changed());
    return {};
  },
});

interface Needs {
  readonly clock: Clock;
  readonly collectors: Collectors;
  readonly silentSources: SilentSources;
}
