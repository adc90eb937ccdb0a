// Records of rules and their versions.

import { toStamp } from '#contract/times.ts';
import { tacticOf, techniqueOf } from '#detection/rules/mitre.ts';
import { referenceFields } from '#detection/rules/references.ts';
import { namesIn } from '#detection/rules/rule-content.ts';
import { snapshotFields } from '#detection/rules/rule-fields.ts';
import type { RuleKind } from '#detection/rules/rule-kinds.ts';
import type { Snapshot } from '#detection/rules/snapshot.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import {
  anyJson,
  choice,
  guidText,
  int32,
  map,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import type { ResolvedReferences } from '#store/rows/resolve.ts';
import type { RuleRow, RuleVersionRow } from '#store/schema/rule-schema.ts';
import type { RuleRecord } from './record-shape.ts';

/** The state of a rule. Times are epoch milliseconds; only batch rules run. */
export interface RuleState {
  readonly last: number | null;
  readonly next: number | null;
  readonly lastSuccess: number | null;
  readonly lastFailure: number | null;
  readonly lastFailureReason: string | null;
  readonly isRunning: boolean;
  /** Why the rule cannot work now. */
  readonly queryError: string | null;
}

interface View {
  readonly names: ResolvedReferences;
  readonly zone: string;
  readonly state: RuleState;
}

/** A row of kind `K`: what its snapshot holds was read as the fields of that kind. */
export function toRecord<K extends RuleKind>(row: RuleRow, { names, zone, state }: View): RuleRecord<K> {
  const content: Snapshot = JSON.parse(row.snapshot);
  const at = (time: number | null) =>
    time === null ? null : toStamp(Temporal.Instant.fromEpochMilliseconds(time), zone);
  const isBatch = row.kind === 'batch';
  const rule = {
    guid: row.guid,
    ...shown(row.kind, content, namesIn(row.kind, content, names)),
    mitre_techniques: idsIn(content.mitre_techniques).map(techniqueOf),
    mitre_tactics: idsIn(content.mitre_tactics).map(tacticOf),
    enabled: row.enabled === 1,
    version: row.version,
    ...(isBatch
      ? { last_run_time: at(state.last), next_run_time: at(state.next), last_success_time: at(state.lastSuccess) }
      : {}),
    last_failure_time: at(state.lastFailure),
    last_failure_reason: state.lastFailureReason,
    query_error: state.queryError,
    ...(isBatch ? { running: state.isRunning } : {}),
    user_guid: row.user_guid,
    user_name: row.user_name,
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(row.created_at), zone),
    updated: toStamp(Temporal.Instant.fromEpochMilliseconds(row.updated_at), zone),
  };
  return rule as object as RuleRecord<K>;
}

const idsIn = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The fields in their order, each reference followed by its names; unset references are null. */
function shown(kind: RuleKind, content: Snapshot, names: Snapshot): Snapshot {
  const references = new Map(referenceFields(kind).map((reference) => [reference.field, reference]));
  const fields: Record<string, Json> = {};
  for (const field of snapshotFields(kind)) {
    const reference = references.get(field);
    const none = field.endsWith('_guids') ? [] : null;
    if (reference) {
      fields[field] = content[field] ?? none;
      fields[reference.names] = names[reference.names] ?? none;
    } else if (content[field] !== undefined) {
      fields[field] = content[field];
    }
  }
  return fields;
}

/** What differs between two versions in one field. */
export const changeRecord = record('RuleChange', {
  field: string('Name of the field.', 'msg'),
  from: anyJson('Value in the earlier version; null where it is not set.', '10 failed logins'),
  to: anyJson('Value in the later version; null where it is not set.', 'Failed logins'),
});

const versionFields = {
  version: int32('Number of the version, from 1.'),
  name: string('Name of the rule in this version.', 'Failed logins'),
  user_guid: guidText('GUID of the author of the version.'),
  user_name: string('Name of the author.', 'Kim'),
  created: stamp('Time when the version was written.'),
  change: choice(['create', 'update', 'restore'])('Kind of change that wrote the version.'),
  restored_from: orNull(int32)('Number of the version that was restored; null for other changes.'),
  comment: orNull(string)('Comment of the author; null where there is none.', 'Threshold raised'),
};

export const versionEntry = record('RuleVersionSummary', versionFields);
export const versionRecord = record('RuleVersion', {
  ...versionFields,
  rule: map('Fields of the rule in this version, with the names that references had.'),
});

export function toVersionEntry(row: RuleVersionRow, zone: string): TypeOf<typeof versionEntry> {
  return {
    version: row.version,
    name: row.name,
    user_guid: row.user_guid,
    user_name: row.user_name,
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(row.created_at), zone),
    change: row.change,
    restored_from: row.restored_from,
    comment: row.comment,
  };
}

export function toVersionRecord(row: RuleVersionRow, zone: string): TypeOf<typeof versionRecord> {
  const snapshot: Snapshot = JSON.parse(row.snapshot);
  return { ...toVersionEntry(row, zone), rule: shown(row.kind, snapshot, snapshot) };
}
