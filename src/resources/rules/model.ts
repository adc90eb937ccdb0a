// Records of rules and their versions.

import { toStamp } from '#contract/times.ts';
import { tacticOf, techniqueOf } from '#detection/mitre.ts';
import { referenceFields } from '#detection/references.ts';
import { namesIn } from '#detection/rule-content.ts';
import { snapshotFields } from '#detection/rule-fields.ts';
import { PRIORITIES, type RuleKind, SOURCE_TYPES, TICKET_CONDITIONS } from '#detection/rule-kinds.ts';
import type { Snapshot } from '#detection/snapshot.ts';
import type { JsonSchema } from '#http/params.ts';
import { arrayOf, boolean, guidText, int32, map, object, optional, orNull, stamp, string } from '#http/shapes.ts';
import type { Json } from '#kernel/canonical-json.ts';
import type { Resolved } from '#store/resolve.ts';
import type { RuleRow, RuleVersionRow } from '#store/rule-schema.ts';

const tactic = object({ mitre_id: string, name: orNull(string) });

/** Shapes of fields other than text. */
const SHAPES: Readonly<Record<string, JsonSchema>> = {
  priority: { type: 'string', enum: PRIORITIES },
  source_type: { type: 'string', enum: SOURCE_TYPES },
  ticket_issue_cond: { type: 'string', enum: TICKET_CONDITIONS },
  commands: arrayOf(map),
  keep_alive: boolean,
  duration: int32,
  datetrunc: int32,
  blacklist_expire_minute: int32,
  ticket_threshold: int32,
  ticket_suppress_interval: int32,
  event_suppress_interval: int32,
  audit_days: int32,
  mitre_techniques: arrayOf(
    object({
      mitre_id: string,
      name: orNull(string),
      display_name: orNull(string),
      url: orNull(string),
      tactics: arrayOf(tactic),
    }),
  ),
  mitre_tactics: arrayOf(tactic),
};

/** Fields with a default, present in every record. */
const ALWAYS: ReadonlySet<string> = new Set([
  'priority',
  'name',
  'msg',
  'schedule',
  'schema_code',
  'source_type',
  'commands',
  'ticket_issue_cond',
  'ticket_threshold',
  'ticket_suppress_interval',
  'event_suppress_interval',
  'keep_alive',
  'mitre_techniques',
  'mitre_tactics',
  'audit_days',
]);

export function ruleRecord(kind: RuleKind): JsonSchema {
  const references = new Map(referenceFields(kind).map((reference) => [reference.field, reference]));
  const fields = snapshotFields(kind).flatMap((field) => {
    const reference = references.get(field);
    if (!reference) {
      const shape = SHAPES[field] ?? string;
      return [[field, ALWAYS.has(field) ? shape : optional(shape)] as const];
    }
    const shape = field.endsWith('s') ? arrayOf(guidText) : orNull(field === 'schema_code' ? string : guidText);
    const names = field.endsWith('s') ? arrayOf(orNull(string)) : orNull(string);
    return [[field, shape] as const, [reference.names, names] as const];
  });
  return object({
    guid: guidText,
    ...Object.fromEntries(fields),
    enabled: boolean,
    version: int32,
    ...(kind === 'batch'
      ? { last_run_time: orNull(stamp), next_run_time: orNull(stamp), last_success_time: orNull(stamp) }
      : {}),
    last_failure_time: orNull(stamp),
    last_failure_reason: orNull(string),
    query_error: orNull(string),
    ...(kind === 'batch' ? { running: boolean } : {}),
    user_guid: guidText,
    user_name: string,
    created: stamp,
    updated: stamp,
  });
}

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
  readonly names: Resolved;
  readonly zone: string;
  readonly state: RuleState;
}

export function toRecord(row: RuleRow, { names, zone, state }: View) {
  const content: Snapshot = JSON.parse(row.snapshot);
  const at = (time: number | null) =>
    time === null ? null : toStamp(Temporal.Instant.fromEpochMilliseconds(time), zone);
  const isBatch = row.kind === 'batch';
  return {
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

const versionFields = {
  version: int32,
  name: string,
  user_guid: guidText,
  user_name: string,
  created: stamp,
  change: { type: 'string', enum: ['create', 'update', 'restore'] },
  restored_from: orNull(int32),
  comment: orNull(string),
};

export const versionEntry = object(versionFields);
export const versionRecord = object({ ...versionFields, rule: map });

export function toVersionEntry(row: RuleVersionRow, zone: string) {
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

export function toVersionRecord(row: RuleVersionRow, zone: string) {
  const snapshot: Snapshot = JSON.parse(row.snapshot);
  return { ...toVersionEntry(row, zone), rule: shown(row.kind, snapshot, snapshot) };
}
