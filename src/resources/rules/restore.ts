// POST /<kind>-rules/:guid/versions/:version/restore

import { NO_ACCOUNT } from '#access/caller.ts';
import { notFound, snapshotNotFound } from '#contract/errors.ts';
import { batchQueryOf } from '#detection/rules/batch-query.ts';
import { runnerOf } from '#detection/rules/batch-rule-job.ts';
import {
  duplicateName,
  missingReference,
  publishedFailures,
  type RestoreFailure,
} from '#detection/rules/references.ts';
import { missingIn, namesFor, namesIn } from '#detection/rules/rule-content.ts';
import { snapshotFields } from '#detection/rules/rule-fields.ts';
import { type RuleKind, ruleTerm } from '#detection/rules/rule-kinds.ts';
import { findRule, findVersion, writeVersion } from '#detection/rules/rule-store.ts';
import { CONDITION_GROUPS, changesBetween, type Snapshot } from '#detection/rules/snapshot.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { arrayOf, boolean, choice, eitherOf, optional, orNull, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { endpoint } from '#operations/endpoint.ts';
import { version } from '#operations/params/number-params.ts';
import { flag, inQuery, orElse, required, text } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { joinedText } from '#query/language/joined-text.ts';
import { isNameTaken } from '#store/rows/names.ts';
import type { ResolvedReferences } from '#store/rows/resolve.ts';
import { changeRecord } from './model.ts';
import { batchQueryError, streamQueryError } from './query-error.ts';
import { reschedule, type ScheduleDeps } from './schedule.ts';

/** The contract's spelling. */
const VALIDATION_FAILED = 'validation-falied';
/** Maximum of failures in the audit entry of a refused restore. */
const FAILURES_NOTED = 100;

const reason = choice(['not-found', 'duplicate'])('Reason of the failure.');
/** The contract has other words for batch rules than for stream rules. */
const restoreFailure = eitherOf(
  record({
    id: string('Code of the field.', 'dataset'),
    name: string('Name of the missing object, or the name that is taken.', 'Web requests'),
    reason,
  }),
  record({
    field: string('Code of the field.', 'dataset'),
    value: string('Name of the missing object, or the name that is taken.', 'Web requests'),
    reason,
  }),
);

const NOTES =
  'Puts an old version in force as a new one, if every referenced object exists and its name is free; ' +
  '`enabled` stays as it is. With `dry_run=true` nothing is written, `changes` lists the fields that a restore ' +
  'changes, and `query_error` is the reason why the rule could not work then.\n\n' +
  'The query is not checked: a dropped table shows when the rule runs. A missing address group of a condition ' +
  'is reported as `address_group`; an object in several fields once for each. A refused restore leaves an ' +
  'audit entry with the error `validation-falied`, though it is answered with 200; a dry run leaves none, ' +
  'unless it is refused for a wrong parameter or a missing rule or version. The entry has `from_version`, ' +
  '`version` and `new_version`.';

const params = {
  guid: guidOf('rule'),
  version: required(version, 'Number of the version to restore.'),
  dry_run: described(
    inQuery(orElse(flag, false)),
    'Whether nothing is written: the answer is that of a restore, with `changes` and `query_error`.',
  ),
  comment: described(inQuery(text(2000)), 'Comment that is stored with the new version.'),
};

const answer = record({
  result: boolean('Whether the version is in force again.'),
  error_msg: optional(string('Text of the reason; absent on success.', 'validation-falied')),
  failures: arrayOf(restoreFailure)('References that are missing and names that are taken.'),
  changes: optional(arrayOf(changeRecord)('Fields that a restore changes; answered with `dry_run`.')),
  query_error: optional(
    orNull(string)(
      'Reason why the restored rule could not work; null where it could. Answered with `dry_run`.',
      '(10001) there is no table web at 1:7',
    ),
  ),
});

export const restore = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Restore ${ruleTerm(kind)} version`,
    notes: NOTES,
    method: 'POST',
    path: `/api/core/${kind}-rules/:guid/versions/:version/restore`,
    access: 'ADMIN',
    audit: `${kind as RuleKind}-rules.restore`,
    params,
    answer,

    /** Versions are immutable, so references in the text may be resolved before the unit. */
    prepare: (input, needs: RestoreNeeds) => textOfVersion(kind, input, needs),

    async run(input, needs: RestoreNeeds, text) {
      const { db, caller, clock, note, leaveUnrecorded, recordAsFailed } = needs;
      const rule = await findRule(db, kind, input.guid);
      if (!rule) throw notFound(ruleTerm(kind), input.guid);
      const wanted = await findVersion(db, kind, input.guid, input.version);
      if (!wanted) throw snapshotNotFound(ruleTerm(kind), input.guid, input.version);
      const snapshot = withGroups(JSON.parse(wanted.snapshot), text?.groups ?? []);
      const names = await namesFor(db, kind, snapshot);
      const isTaken = await isNameTaken(db, 'rules', String(snapshot.name), { within: { kind }, except: input.guid });
      const failures = [
        ...(isTaken ? [duplicateName(String(snapshot.name))] : []),
        ...missingOf(kind, snapshot, names),
      ];
      note({ from_version: rule.version });
      const changes = input.dry_run
        ? {
            changes: changesBetween(JSON.parse(rule.snapshot), snapshot, snapshotFields(kind)),
            query_error: kind === 'batch' ? (text?.queryError ?? null) : (streamQueryError(snapshot, names) ?? null),
          }
        : {};
      if (failures.length > 0) {
        const published = publishedFailures(kind, failures);
        note({ failures: published.slice(0, FAILURES_NOTED) });
        recordAsFailed(VALIDATION_FAILED);
        if (input.dry_run) leaveUnrecorded();
        return { result: false, error_msg: VALIDATION_FAILED, failures: published, ...changes };
      }
      if (input.dry_run) leaveUnrecorded();
      if (input.dry_run) return { result: true, failures: [], ...changes };
      await reschedule(kind, [input.guid], needs);
      const written = await writeVersion(db, {
        kind,
        guid: input.guid,
        snapshot: { ...snapshot, ...namesIn(kind, snapshot, names) },
        change: 'restore',
        before: rule,
        restoredFrom: input.version,
        comment: input.comment ?? null,
        author: caller,
        now: clock.now().epochMilliseconds,
      });
      const isRenamed = snapshot.name !== rule.name;
      note({ version: input.version, new_version: written, ...(isRenamed ? { new_name: String(snapshot.name) } : {}) });
      return { result: true, failures: [] };
    },
  });

interface RestoreNeeds extends ScheduleDeps {
  readonly clock: Clock;
  readonly queries: LiveQueries;
}

/** The address groups in the text of a version, and its error; missing objects are reported later. */
async function textOfVersion(
  kind: RuleKind,
  input: { readonly guid: string; readonly version: number; readonly dry_run: boolean },
  { db, queries }: RestoreNeeds,
) {
  if (kind === 'stream') return undefined;
  const rule = await findRule(db, kind, input.guid);
  const wanted = rule && (await findVersion(db, kind, input.guid, input.version));
  if (!wanted) return undefined;
  const snapshot: Snapshot = JSON.parse(wanted.snapshot);
  const { text, lead } = await batchQueryOf(db, snapshot);
  const own = typeof snapshot.query === 'string' ? snapshot.query : undefined;
  // Without its dataset the commands of the rule are not a query, but still name address groups.
  const asked = text === '' && own !== undefined ? leadBy('json "{}"', own) : { text, lead };
  const groups = own === undefined ? [] : await queries.groupsIn({ caller: runnerOf(rule), ...asked });
  return { groups, queryError: input.dry_run ? await batchQueryError(rule, snapshot, { db, queries }) : null };
}

const leadBy = (first: string, rest: string) => ({
  text: joinedText(first, rest),
  lead: { text: first, rest, account: NO_ACCOUNT },
});

/** Older snapshots lack the groups of queries and their names. */
function withGroups(snapshot: Snapshot, groups: readonly string[]): Snapshot {
  if (groups.length === 0) return snapshot;
  const kept = Object.entries(snapshot[CONDITION_GROUPS] ?? {});
  const named = [...groups.map((guid): [string, null] => [guid, null]), ...kept];
  return { ...snapshot, [CONDITION_GROUPS]: Object.fromEntries(named) };
}

/** Each object once. */
function missingOf(kind: RuleKind, snapshot: Snapshot, names: ResolvedReferences): RestoreFailure[] {
  const byObject = Map.groupBy(missingIn(kind, snapshot, names), ({ identifier, key }) => `${identifier} ${key}`);
  return [...byObject.values()].flatMap(([first]) => (first ? missingReference(first) : []));
}
