// What it costs to hold every arriving record against many stream rules, and how long after a push its event is there.

import { evaluateStages, type Stages } from '#detection/stream/compiled-rule.ts';
import { LiveGroup } from '#detection/stream/groups/live-group.ts';
import { incomingRecord } from '#detection/stream/incoming-record.ts';
import { buildIndex } from '#detection/stream/rule-index/candidate-index.ts';
import { stagesOf } from '#detection/stream/stream-rule.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import { created } from '#test/support/accounts.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { percentile } from './support/numbers.ts';
import { launch, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { EVERY, STREAM_GROUPS, streamRecordTexts, streamRuleTexts } from './support/stream-rule-mix.ts';
import { timed } from './support/timed.ts';
import { workFolder } from './support/work-folder.ts';

const SIZES = [1, 100, 1000, 3000];
const SMALL = 100;

export const streamRules: Bench = {
  name: 'stream-rules',
  question:
    'How many records per second do stream rules judge on one core, and how long after a push is the event there?',
  yardstick: 'every rule judging every record; for latency a push that fits no rule',
  aim: 'with 1,000 rules at least 50,000 records/s; 3,000 rules cost at most 3 times what 100 do',

  async run(effort) {
    const measured = SIZES.map((rules) => {
      effort.say(`${rules} rules`);
      return { rules, ...rates(rules, effort) };
    });
    const costOf = (wanted: number) => 1e6 / (measured.find(({ rules }) => rules === wanted)?.indexed ?? Number.NaN);
    const most = Math.max(...SIZES);
    return {
      rows: [
        ...measured.map(
          ({ rules, indexed, naive }): Row => ({
            what: `${rules} rules`,
            value: indexed,
            unit: '/s',
            yardstick: naive,
            ...(rules === 1000 ? { aim: { of: 'value', is: 'at least', bound: 50_000 } as const } : {}),
          }),
        ),
        {
          what: `a record under ${most} rules, beside ${SMALL}`,
          value: costOf(most),
          unit: 'µs',
          yardstick: costOf(SMALL),
          aim: { of: 'ratio', is: 'at most', bound: 3 },
        },
        ...(await latencies(effort)),
      ],
      notes: NOTES,
    };
  },
};

const NOTES = [
  `One record in ${EVERY} fits one rule. A sixth of the rules each: a constant, in(), contains(), a comparison with two constants, an address group of 100 addresses with two constants, a regular expression without regard to case. Reading the JSON of a record is part of both columns; the best round counts. Both must find the same.`,
  'Latency: POST /api/core/loggers/{guid}/logs of one record, with 1,000 rules in force, on the embedded database; when it is answered the event is on record, which is looked at for every tenth.',
];

const now = Temporal.Instant.from('2026-11-15T03:00:00Z');
const groups = new Map(
  STREAM_GROUPS.map(({ guid, entries }) => [
    guid,
    new LiveGroup(
      entries.map((ip) => ({ ip, expires_at: null })),
      () => now.epochMilliseconds,
    ),
  ]),
);
const AROUND = { zone: 'Asia/Seoul', groups: () => groups, now: () => now };

function rates(count: number, { isQuick }: Effort): { indexed: number; naive: number } {
  const rules = streamRuleTexts(count).map((query) =>
    runToEnd(stagesOf([{ template_id: 1, query, invert: false, ordinal: 1 }], 'bench', AROUND)),
  );
  const texts = streamRecordTexts(isQuick ? 2000 : 50_000, count);
  const few = texts.slice(0, Math.max(EVERY, Math.min(texts.length, Math.ceil((isQuick ? 1e5 : 2e6) / count))));
  const index = buildIndex(rules, AROUND);
  const withIndex = (text: string) => matchesOf(text, (record) => index.candidates(record));
  const withAll = (text: string) => matchesOf(text, () => rules);
  for (const text of few) if (withIndex(text) !== withAll(text)) throw new Error(`not the same is found in ${text}`);
  const rounds = isQuick ? 2 : 7;
  return { indexed: bestRate(texts, withIndex, rounds), naive: bestRate(few, withAll, rounds) };
}

function matchesOf(text: string, candidates: (record: ReturnType<typeof incomingRecord>) => readonly Stages[]): number {
  const record = incomingRecord(text, now.epochMilliseconds, 'web');
  let matches = 0;
  for (const rule of candidates(record)) if (evaluateStages(rule, record)) matches += 1;
  return matches;
}

function bestRate(texts: readonly string[], work: (text: string) => number, rounds: number): number {
  let best = 0;
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    let matches = 0;
    for (const text of texts) matches += work(text);
    if (matches === 0) throw new Error('nothing was found');
    best = Math.max(best, (texts.length / (performance.now() - begun)) * 1000);
  }
  return best;
}

async function latencies({ isQuick, say }: Effort): Promise<Row[]> {
  const sizes = isQuick ? { rules: 20, pushes: 20 } : { rules: 1000, pushes: 500 };
  using folder = workFolder();
  await using server = await launch(vigil({ folder: folder.at('stream') }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  const logger = await prepared(service, sizes.rules);
  say(`${sizes.pushes} pushes`);
  const found: number[] = [];
  const others: number[] = [];
  for (let push = 0; push < sizes.pushes; push += 1) {
    for (const [user, taken] of [['intruder-0', found] as const, ['kim', others] as const]) {
      const json = [{ user, push, path: '/index.html', status: 200 }];
      const { milliseconds } = await timed(() => service.call('POST', `/api/core/loggers/${logger}/logs`, { json }));
      taken.push(milliseconds);
    }
    if (push % 10 > 0) continue;
    const { total_count } = (await service.call('GET', '/api/core/events?limit=0')).json;
    if (total_count !== push + 1) throw new Error(`${total_count} events after ${push + 1} pushes`);
  }
  return [0.5, 0.99].map((share) => ({
    what: `push to event, ${sizes.rules} rules: p${share * 100}`,
    value: percentile(found, share),
    unit: 'ms',
    yardstick: percentile(others, share),
  }));
}

/** The logger whose logs the rules look at. */
async function prepared(service: Service, rules: number): Promise<string> {
  const fields = '[{"name":"user","type":"STRING"}]';
  await service.call('POST', '/api/core/log-schemas', { form: { code: 'web', name: 'web', fields } });
  await service.call('POST', '/api/core/tables', { form: { table: 'web', schema_code: 'web' } });
  for (const { guid } of STREAM_GROUPS)
    await created(service, '/api/core/address-groups', { guid, name: guid.slice(-5) });
  for (const [number, query] of streamRuleTexts(rules).entries()) {
    const commands = JSON.stringify([{ template_id: 1, query }]);
    const rule = { priority: 'LOW', name: `rule ${number}`, msg: 'found $user', schema_code: 'web', enabled: 'true' };
    await created(service, '/api/core/stream-rules', { ...rule, commands });
  }
  const model = { name: 'web', logger_factory_name: 'http', parser_code: 'json' };
  const model_guid = await created(service, '/api/core/logger-models', model);
  return await created(service, '/api/core/loggers', { model_guid, name: 'web', table_name: 'web', enabled: 'true' });
}
