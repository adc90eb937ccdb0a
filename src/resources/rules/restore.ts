// POST /<kind>-rules/:guid/versions/:version/restore

import { notFound, snapshotNotFound } from '#contract/errors.ts';
import { type RuleKind, thingOf } from '#detection/kinds.ts';
import { duplicateName, missingReference, publishedFailures, type RestoreFailure } from '#detection/references.ts';
import { missingIn, namesFor, namesIn } from '#detection/rule-content.ts';
import { snapshotFields } from '#detection/rule-fields.ts';
import { findRule, findVersion, isNameTaken, writeVersion } from '#detection/rule-store.ts';
import { changesBetween, type Snapshot } from '#detection/snapshot.ts';
import { endpoint } from '#http/endpoint.ts';
import { version } from '#http/number-params.ts';
import { flag, guid, inQuery, orElse, required, text } from '#http/params.ts';
import { arrayOf, boolean, map, object, optional, string } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Resolved } from '#store/resolve.ts';
import { reschedule, type ScheduleNeeds } from './schedule.ts';

/** The contract's spelling. */
const VALIDATION_FAILED = 'validation-falied';
/** Of those in the entry of a restore that was refused. */
const FAILURES_NOTED = 100;

export const restore = (kind: RuleKind) =>
  endpoint({
    title: `Restore ${thingOf(kind)} version`,
    notes:
      'Puts an old version in force as a new one, if everything it refers to is there and its name is free; `enabled` ' +
      'stays as it is. With `dry_run=true` nothing is written, and `changes` tells what a restore would change.',
    method: 'POST',
    path: `/api/core/${kind}-rules/:guid/versions/:version/restore`,
    access: 'ADMIN',
    audit: `${kind}-rules.restore`,
    params: {
      guid: required(guid),
      version: required(version),
      dry_run: inQuery(orElse(flag, false)),
      comment: inQuery(text(2000)),
    },
    answer: object({
      result: boolean,
      error_msg: optional(string),
      failures: arrayOf(map),
      changes: optional(arrayOf(map)),
    }),

    async run(input, needs: ScheduleNeeds & { clock: Clock }) {
      const { db, caller, clock, note, leaveUnrecorded, recordAsFailed } = needs;
      const rule = await findRule(db, kind, input.guid);
      if (!rule) throw notFound(thingOf(kind), input.guid);
      const wanted = await findVersion(db, kind, input.guid, input.version);
      if (!wanted) throw snapshotNotFound(thingOf(kind), input.guid, input.version);
      const snapshot: Snapshot = JSON.parse(wanted.snapshot);
      const names = await namesFor(db, kind, snapshot);
      const isTaken = await isNameTaken(db, kind, String(snapshot.name), input.guid);
      const failures = [
        ...(isTaken ? [duplicateName(String(snapshot.name))] : []),
        ...missingOf(kind, snapshot, names),
      ];
      note({ from_version: rule.version });
      const changes = input.dry_run
        ? { changes: changesBetween(JSON.parse(rule.snapshot), snapshot, snapshotFields(kind)) }
        : {};
      if (failures.length > 0) {
        const published = publishedFailures(kind, failures);
        note({ failures: published.slice(0, FAILURES_NOTED) });
        recordAsFailed(VALIDATION_FAILED);
        if (input.dry_run) leaveUnrecorded();
        return { result: false, error_msg: VALIDATION_FAILED, failures: published, ...changes };
      }
      if (input.dry_run) {
        leaveUnrecorded();
        return { result: true, failures: [], ...changes };
      }
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

/** An object is named once, however often it is referred to. */
function missingOf(kind: RuleKind, snapshot: Snapshot, names: Resolved): RestoreFailure[] {
  const byObject = Map.groupBy(missingIn(kind, snapshot, names), ({ identifier, key }) => `${identifier} ${key}`);
  return [...byObject.values()].flatMap(([first]) => (first ? missingReference(first) : []));
}
