// How many records per second one condition of a stream rule judges, by kind of expression.

import { runToEnd } from '#kernel/sliced-work.ts';
import type { MapValue } from '#query/model/values.ts';
import { compileRule } from '#query/rules/condition.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { type RuleCase, ruleCases } from './support/rule-cases.ts';
import { GROUP, GROUP_ENTRIES, recordText, ruleRecords } from './support/rule-records.ts';

export const localEvaluator: Bench = {
  name: 'local-evaluator',
  question: 'How many records per second does one condition of a stream rule judge?',
  yardstick: 'JavaScript written by hand for the same records and the same meaning',
  aim: 'none, told only',

  run(effort) {
    const records = ruleRecords(effort.isQuick ? 5000 : 20_000);
    const rows = ruleCases.map((one) => {
      effort.say(one.name);
      return measured(one, records, effort);
    });
    const parse = bestRate(records.map(recordText), (text) => JSON.parse(text) !== null, effort);
    return Promise.resolve({
      rows: [...rows, { what: 'JSON.parse of a record', value: parse, unit: '/s' }],
      notes: NOTES,
    });
  },
};

const NOTES = [
  'Each condition is compiled once and judges every record of the same list, in turn with the JavaScript beside it; the best round counts. Both must match the same records.',
  'A record is a map of fields with values of the language, longs being bigints: the yardstick reads the same maps. "JSON.parse of a record" is what reading its text alone costs.',
  'What is written by hand knows the types of the fields; a condition converts whatever comes.',
];

const now = Temporal.Instant.from('2026-11-15T03:00:00Z');
const groups = new Map([[GROUP, new AddressGroup(GROUP_ENTRIES)]]);

function measured({ name, text, byHand }: RuleCase, records: readonly MapValue[], effort: Effort): Row {
  const context = { zone: 'Asia/Seoul', user: 'bench', constants: new Map(), groups: () => groups, now: () => now };
  const { judge } = runToEnd(compileRule(text, context));
  const wanted = records.filter(byHand).length;
  const found = records.filter((record) => judge(record) !== undefined).length;
  if (found !== wanted || found === 0 || found === records.length) {
    throw new Error(`${name}: the condition matches ${found} records, JavaScript ${wanted} of ${records.length}`);
  }
  const value = bestRate(records, (record) => judge(record) !== undefined, effort);
  return { what: name, value, unit: '/s', yardstick: bestRate(records, byHand, effort) };
}

/** Of the best round: what else runs on a machine only ever takes away. */
function bestRate<T>(items: readonly T[], work: (item: T) => boolean, { isQuick }: Effort): number {
  let best = 0;
  for (let round = 0; round < (isQuick ? 3 : 25); round += 1) {
    const began = performance.now();
    let matched = 0;
    for (const item of items) if (work(item)) matched += 1;
    const seconds = (performance.now() - began) / 1000;
    if (matched > items.length) throw new Error('more matches than records');
    best = Math.max(best, items.length / seconds);
  }
  return best;
}
