// GET /events/histogram

import { wrongDateRange } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { EVENT_STATUSES, PRIORITIES, RULE_KINDS } from '#detection/rules/rule-kinds.ts';
import { arrayOf, choice, guidText, int32, int64, record, stamp, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { alongside, int, orElse, required } from '#operations/params/params.ts';
import { time } from '#operations/params/time-params.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import { bucketOf, bucketsOf, intervalFor, slotOf } from './buckets.ts';
import { countByRule, countByTime } from './counts.ts';
import { FROM, memberOf, requireRange, TO, untimedFilters } from './filters.ts';
import { filteredEvents } from './store.ts';

const counts = <const N extends readonly string[]>(names: N, meaning: (name: N[number]) => string) =>
  // Each name of the set has its own field.
  Object.fromEntries(names.map((name: N[number]) => [name, int64(meaning(name), 4)])) as Record<
    N[number],
    ReturnType<typeof int64>
  >;

const priorityCounts = counts(PRIORITIES, (priority) => `Number of events of the priority ${priority}.`);

const bucketRecord = record({
  time: stamp('Start of the bucket.'),
  count: int64('Number of events.', 12),
  ...priorityCounts,
});

const ruleRecord = record({
  rule_guid: guidText('GUID of the rule.'),
  rule_name: string('Name of the rule in its newest event.', 'Failed logins'),
  rule_type: choice(RULE_KINDS)('Kind of the rule.'),
  count: int64('Number of its events.', 12),
});

export const histogram = endpoint({
  title: 'Count events over time',
  notes:
    'Events that the list of the same filters has, counted by their last match: in buckets of equal length, cut in the ' +
    'time zone of the service, empty ones included, and by rule, priority and status. Without `interval` it is the ' +
    'least of 60, 300, 900, 3600, 21600, 86400 and 604800 seconds that makes at most 300 buckets. More than 2,000 ' +
    'buckets are `date range is unacceptable.`.',
  method: 'GET',
  path: '/api/core/events/histogram',
  access: 'MEMBER',
  params: {
    from: required(time, FROM),
    to: described(alongside(required(time), requireRange), TO),
    interval: described(int(1n, 31_536_000n), 'Length of a bucket in seconds.'),
    top: orElse(int(0n, 100n), 10, 'Largest number of rules.'),
    ...untimedFilters,
  },
  answer: record({
    total_count: int64('Number of events.', 120),
    interval: int32('Length of a bucket in seconds.', 3600),
    buckets: arrayOf(bucketRecord)('Buckets, in the order of time.'),
    rules: arrayOf(ruleRecord)('Rules with the most events.'),
    priorities: record(priorityCounts)('Numbers of events by priority.'),
    statuses: record(counts(EVENT_STATUSES, (status) => `Number of events with the status ${status}.`))(
      'Numbers of events by status.',
    ),
  }),

  async run(input, { caller, store, vault, zone }: Call & { store: Store; vault: Vault; zone: string }) {
    const { from, to, interval = intervalFor(from, to, zone), top, ...filters } = input;
    const buckets = bucketsOf({ from, to, interval }, zone);
    if (!buckets) throw wrongDateRange();
    const range = { from: from.epochMilliseconds, to: to.epochMilliseconds };
    const wanted = { ...filters, ...range, member: memberOf(caller) };
    // Off the main thread: there may be a million of them.
    return await store.scan(async (db) => {
      const events = await filteredEvents(db, wanted, vault.opening());
      const found = await countByTime(events, slotOf(buckets));
      const listed = buckets.map((start) => ({ start, ...none(PRIORITIES) }));
      const priorities = none(PRIORITIES);
      const statuses = none(EVENT_STATUSES);
      for (const { slot, priority, status, count } of found) {
        const bucket = listed[bucketOf(buckets, slot)];
        if (bucket) bucket[priority] += count;
        priorities[priority] += count;
        statuses[status] += count;
      }
      return {
        total_count: total(priorities),
        interval,
        buckets: listed.map(({ start, ...own }) => ({
          time: toStamp(Temporal.Instant.fromEpochMilliseconds(start), zone),
          count: total(own),
          ...own,
        })),
        rules: await countByRule(db, events, top),
        priorities,
        statuses,
      };
    });
  },
});

const none = <const N extends readonly string[]>(names: N): Record<N[number], number> =>
  // Each name of the set is a key.
  Object.fromEntries(names.map((name) => [name, 0])) as Record<N[number], number>;

const total = (numbers: Readonly<Record<string, number>>): number =>
  Object.values(numbers).reduce((sum, count) => sum + count, 0);
