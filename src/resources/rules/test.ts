// POST /stream-rules/test

import { notFound } from '#contract/errors.ts';
import { conditionsIn, requireKnownTemplates } from '#detection/rule-content.ts';
import { conditionsParam } from '#detection/rule-fields.ts';
import { findRule } from '#detection/rule-store.ts';
import { arrivedRecord } from '#detection/stream/arrived-record.ts';
import type { StreamRules } from '#detection/stream/stream-rules.ts';
import type { Draft, Tried } from '#detection/stream/trial.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { exactMaps } from '#http/json-params.ts';
import { guids, required, text } from '#http/params.ts';
import { arrayOf, boolean, guidText, int32, map, object, orNull, string } from '#http/shapes.ts';
import type { PushLimits } from '#ingest/decode.ts';
import { REASONS, recordOf } from '#ingest/record.ts';
import type { Clock } from '#kernel/clock.ts';
import { inTurns } from '#kernel/turns.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Db } from '#store/kysely.ts';
import type { RuleRow } from '#store/rule-schema.ts';

const RECORDS_MOST = 1000;

interface Needs extends Call {
  readonly clock: Clock;
  readonly zone: string;
  readonly queries: LiveQueries;
  readonly streamRules: StreamRules;
  readonly pushLimits: PushLimits;
}

const named = { guid: orNull(guidText), name: orNull(string) };

export const test = endpoint({
  title: 'Test stream rules',
  notes:
    'Tries rules on records without keeping these: `guids` names rules, which may be out of force, `commands` is a rule that ' +
    'is being written (its `guid` and `name` are null in the answer); without both all rules in force are tried, or those ' +
    'of `schema_code`. Conditions alone are looked at, not whose logs a rule examines. For each record, in its order: ' +
    'the rules that match, with the row that would feed the event, and for rules that were named or given the condition ' +
    'that stopped it and what it read. A record that would be rejected says why. Nothing is raised.',
  method: 'POST',
  path: '/api/core/stream-rules/test',
  access: 'MEMBER',
  isUnit: false,
  params: {
    records: required(exactMaps(RECORDS_MOST, '[{"user":"kim","status":401}]')),
    guids,
    schema_code: text(50),
    commands: conditionsParam,
  },
  answer: object({
    results: arrayOf(
      object({
        reason: orNull({ type: 'string', enum: REASONS }),
        matches: arrayOf(object({ ...named, fields: map })),
        misses: arrayOf(object({ ...named, ordinal: int32, condition: string, invert: boolean, fields: map })),
      }),
    ),
    broken: arrayOf(object({ guid: guidText, name: string, reason: string })),
  }),

  async run(input, needs: Needs) {
    const { db, clock, zone, pushLimits } = needs;
    const { triedRules, outcomeOf } = await import('#detection/stream/trial.ts');
    const rows = await rowsOf(db, input.guids ?? []);
    // An empty list counts as absent: conditions that are not there would fit everything.
    const draft = input.commands?.length ? await draftOf(input, needs) : undefined;
    const { tried, broken } = await triedRules(db, { rows, draft }, { clock, zone });
    if (rows.length === 0 && !draft) tried.push(...(await inForce(input.schema_code, needs)));
    const arrival = { at: clock.now().epochMilliseconds, zone };
    const resultOf = (record: object): object => {
      const line = JSON.stringify(record);
      const log = Buffer.byteLength(line) > pushLimits.lineBytes ? 'line-too-long' : recordOf(line, arrival);
      if (typeof log === 'string') return { reason: log, matches: [], misses: [] };
      return { reason: null, ...outcomeOf(arrivedRecord(log.text, log.time, null), tried, zone) };
    };
    return { results: await inTurns(eachOf(input.records, resultOf)), broken };
  },
});

function* eachOf<T, R>(items: readonly T[], work: (item: T) => R): Generator<undefined, R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(work(item));
    yield;
  }
  return results;
}

async function rowsOf(db: Db, wanted: readonly string[]): Promise<RuleRow[]> {
  const rows: RuleRow[] = [];
  for (const guid of new Set(wanted)) {
    const row = await findRule(db, 'stream', guid);
    if (!row) throw notFound('stream rule', guid);
    rows.push(row);
  }
  return rows;
}

async function draftOf(input: Readonly<Record<string, unknown>>, { caller, queries }: Needs): Promise<Draft> {
  requireKnownTemplates(input);
  const conditions = conditionsIn(input);
  const groups: string[] = [];
  for (const { query } of conditions) groups.push(...(await queries.soundCondition({ caller, text: query })));
  return { conditions, groups, user: caller.login };
}

async function inForce(schema: string | undefined, { streamRules }: Needs): Promise<Tried[]> {
  const rules = (await streamRules.ready())?.rules ?? [];
  return rules
    .filter((rule) => schema === undefined || rule.schema === schema)
    .map((rule) => ({ guid: rule.rule.guid, name: rule.rule.name, stages: rule, isExplained: false }));
}
