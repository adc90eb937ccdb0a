// POST /stream-rules/test

import { notFound } from '#contract/errors.ts';
import { conditionsIn, requireKnownTemplates } from '#detection/rules/rule-content.ts';
import { conditionsParam } from '#detection/rules/rule-fields.ts';
import { enabledRules, findRule } from '#detection/rules/rule-store.ts';
import { groupsIn } from '#detection/stream/rule-rows.ts';
import type { Draft } from '#detection/stream/trials/trial.ts';
import type { Trials } from '#detection/stream/trials/trials.ts';
import { REASONS } from '#ingest/decode/record.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { arrayOf, boolean, choice, guidText, int32, map, orNull, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { exactMaps } from '#operations/params/json-params.ts';
import { guids, required, text } from '#operations/params/params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Db } from '#store/kysely.ts';
import { groupsWithAddresses } from '#store/rows/addresses.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';

const MAX_RECORDS = 1000;

interface Needs extends Call {
  readonly clock: Clock;
  readonly queries: LiveQueries;
  readonly trials: Trials;
}

const TOO_LONG = 'too-long';
const named = {
  guid: orNull(guidText)('GUID of the rule; null for `commands`.'),
  name: orNull(string)('Name of the rule; null for `commands`.', 'Failed logins'),
};

export const test = endpoint({
  title: 'Test stream rules',
  notes:
    'Tries rules on at most 1,000 records without storing them: `guids` names rules, which may be out of force, ' +
    '`commands` is an unsaved rule (its `guid` and `name` are null in the answer); without both all rules in ' +
    'force are tried, or those of `schema_code`. Only conditions are examined, not schema, loggers and models of ' +
    'a rule. For each record, in order: the rules that match, with the row that would feed the event, and for ' +
    'named or given rules the condition that stopped it and the values it read. A record that would be rejected ' +
    'has the reason; so has one for which a rule exceeds `rule-steps`. After five seconds the test ends. Nothing ' +
    'is raised or audited. `1.0` in a JSON body is the whole number 1.',
  method: 'POST',
  path: '/api/core/stream-rules/test',
  access: 'MEMBER',
  isUnit: false,
  params: {
    records: required(exactMaps(MAX_RECORDS, [{ user: 'kim', status: 401 }]), 'Records to try the rules on.'),
    guids: described(guids, 'GUIDs of the rules to try, in force or not.'),
    schema_code: described(text(50), 'Code of the log schema whose rules are tried.'),
    commands: described(
      conditionsParam,
      'Conditions of a rule that is being written. Each item is `{template_id, field_name, args, query, invert, ordinal}`.',
    ),
  },
  answer: record({
    results: arrayOf(
      record({
        reason: orNull(choice([...REASONS, TOO_LONG]))(
          'Code of the reason why the record was not tried as a whole; null where it was.',
        ),
        matches: arrayOf(
          record({ ...named, fields: map('Row that an event would hold.', { user: 'kim', status: 401 }) }),
        )('Rules that match.'),
        misses: arrayOf(
          record({
            ...named,
            ordinal: int32('Position of the condition that did not hold.'),
            condition: string('Query of that condition.', 'search status == 401'),
            invert: boolean('Whether the condition is inverted.'),
            fields: map('Values that the condition read.', { status: 200 }),
          }),
        )('Rules that do not match; only for rules that the request names.'),
      }),
    )('One result for each record, in the same order.'),
    broken: arrayOf(
      record({
        guid: guidText('GUID of the rule.'),
        name: string('Name of the rule.', 'Failed logins'),
        reason: string(
          'Reason why the rule cannot be evaluated.',
          'address group not found: 8d0b0f6c-3b52-4e0d-9f3a-0e3b4f6f7c11',
        ),
      }),
    )('Rules that cannot be evaluated.'),
  }),

  async run(input, needs: Needs) {
    const { db, clock, caller, trials, gone } = needs;
    const named = await rowsOf(db, input.guids ?? []);
    // An empty list counts as absent: conditions that are not there would fit everything.
    const draft = input.commands?.length ? await draftOf(input, needs) : undefined;
    const explainsMisses = named.length > 0 || draft !== undefined;
    const rows = explainsMisses ? named : await inForce(db, input.schema_code);
    const asked = new Set([...(await eventLoop.runInSlots(eachOf(rows, groupsIn))).flat(), ...(draft?.groups ?? [])]);
    const known = await groupsWithAddresses(db, [...asked], clock.now().epochMilliseconds);
    const groups = new Map([...asked].map((guid) => [guid, known.get(guid)?.entries ?? []]));
    const lines = await eventLoop.runInSlots(eachOf(input.records, (record) => JSON.stringify(record)));
    const trial = { account: caller.userGuid, lines, rows, draft, groups, explainsMisses, signal: gone };
    const { results, broken } = await trials.run(trial);
    return new Answer<never>(answerText(results, broken));
  },
});

/** Results are JSON already. */
async function* answerText(results: readonly string[], broken: readonly object[]): AsyncGenerator<string> {
  yield '{"results":[';
  for (const [at, result] of results.entries()) yield at === 0 ? result : `,${result}`;
  yield `],"broken":${JSON.stringify(broken)}}`;
}

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
  for (const { query } of conditions) groups.push(...(await queries.validateCondition({ caller, text: query })).groups);
  return { conditions, groups, user: caller.login };
}

async function inForce(db: Db, schema: string | undefined): Promise<RuleRow[]> {
  const rows = await enabledRules(db, 'stream');
  return rows.filter(({ schema_code }) => schema === undefined || schema_code === schema);
}
