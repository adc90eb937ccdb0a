// GET /<kind>-rules/:guid/versions, a single version, and the difference of two

import { notFound, snapshotNotFound } from '#contract/errors.ts';
import { snapshotFields } from '#detection/rules/rule-fields.ts';
import { type RuleKind, ruleTerm } from '#detection/rules/rule-kinds.ts';
import { findRule, findVersion, listVersions } from '#detection/rules/rule-store.ts';
import { changesBetween } from '#detection/rules/snapshot.ts';
import { arrayOf, listOf, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { anyInt, version } from '#operations/params/number-params.ts';
import { paging, required } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import type { Db } from '#store/kysely.ts';
import { changeRecord, toVersionEntry, toVersionRecord, versionEntry, versionRecord } from './model.ts';

interface Needs extends Call {
  readonly zone: string;
}

export const versions = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `List ${ruleTerm(kind)} versions`,
    notes:
      'Newest first; those of a removed rule too. A rule created again with the same guid continues the count and ' +
      'may be restored to older versions. Snapshots hold the ids of techniques and tactics; records add names and ' +
      'links.',
    method: 'GET',
    path: `/api/core/${kind}-rules/:guid/versions`,
    access: 'MEMBER',
    params: { guid: guidOf('rule'), ...paging },
    answer: listOf('versions', versionEntry),

    async run(input, { db, zone }: Needs) {
      const { total, rows } = await listVersions(db, kind, input.guid, input);
      if (total === 0) throw notFound(ruleTerm(kind), input.guid);
      return { total_count: total, versions: rows.map((row) => toVersionEntry(row, zone)) };
    },
  });

export const getVersion = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Get ${ruleTerm(kind)} version`,
    method: 'GET',
    path: `/api/core/${kind}-rules/:guid/versions/:version`,
    access: 'MEMBER',
    params: { guid: guidOf('rule'), version: required(version, 'Number of the version.') },
    answer: record({ version: versionRecord('The version.') }),

    async run(input, { db, zone }: Needs) {
      return { version: toVersionRecord(await requireVersion(db, kind, input.guid, input.version), zone) };
    },
  });

export const diffVersions = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Compare ${ruleTerm(kind)} versions`,
    notes: 'Fields that differ from `version` to `with`; null where a field is not set.',
    method: 'GET',
    path: `/api/core/${kind}-rules/:guid/versions/:version/diff`,
    access: 'MEMBER',
    params: {
      guid: guidOf('rule'),
      version: required(version, 'Number of the version.'),
      with: required(anyInt, 'Number of the version to compare with.'),
    },
    answer: record({ changes: arrayOf(changeRecord)('Fields that differ, in the order of the rule.') }),

    async run(input, { db }: Call) {
      const from = await requireVersion(db, kind, input.guid, input.version);
      const to = await requireVersion(db, kind, input.guid, input.with);
      return { changes: changesBetween(JSON.parse(from.snapshot), JSON.parse(to.snapshot), snapshotFields(kind)) };
    },
  });

/** A rule without versions never existed. */
async function requireVersion(db: Db, kind: RuleKind, guid: string, number: number) {
  const found = await findVersion(db, kind, guid, number);
  if (found) return found;
  const { total } = await listVersions(db, kind, guid, { offset: 0, limit: 0 });
  if (total === 0 && !(await findRule(db, kind, guid))) throw notFound(ruleTerm(kind), guid);
  throw snapshotNotFound(ruleTerm(kind), guid, number);
}
