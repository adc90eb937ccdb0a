// Laws of the language (16.4) that need no second engine: two queries that must give the same rows.

import fc from 'fast-check';
import type { MapValue } from '#query/model/values.ts';
import { condition, field, pipeline } from '#test/support/pipeline-texts.ts';
import type { World } from '#test/support/query-examples.ts';
import { QueryRunner } from '#test/support/query-runner.ts';
import { smallWorld, UNDECLARED } from '#test/support/random-tables.ts';
import { areSameRows, type Row, rowsShown } from '#verification/same-rows.ts';
import { checkOf, SKIPPED } from './check.ts';
import { worldText } from './pipelines.ts';

interface Law {
  readonly one: string;
  /** Together as many rows, in any order, as the first gives. */
  readonly others: readonly string[];
}

interface Case {
  readonly law: Law;
  readonly world: World & { readonly tables: Readonly<Record<'t' | 'r', readonly MapValue[]>> };
}

const KEYS = ['n', 's', 'm', 'd', 'l', 'rare', 't', 'ip'] as const;
const AGGREGATES = ['count', 'sum(n)', 'dc(m)', 'max(m)', 'values(s)', 'avg(d)', 'min(rare)'] as const;

/** 4.2: `a != b` is true exactly when both are there and `a == b` is false. */
const unequal = fc.tuple(field, field).map(([a, b]) => ({
  one: `table t | search ${a} != ${b}`,
  others: [`table t | search isnotnull(${a}) and isnotnull(${b}) and not(${a} == ${b})`],
}));

/** 4.1: what is true, what is false and what is neither are all rows. */
const parted = condition.map((c) => ({
  one: 'table t',
  others: [`table t | search ${c}`, `table t | search not(if(${c}, true, false))`],
}));

const negated = condition.map((c) => ({
  one: 'table t',
  others: [
    `table t | search (${c}) == true`,
    `table t | search not(${c})`,
    `table t | search isnull(not(${c})) and not(nvl(${c}, false) == true)`,
  ],
}));

/** Keys of one type: a join would find 5 and "5" equal, which are two groups. */
const grouped = fc
  .tuple(fc.constantFrom('n', 's', 'd', 't'), fc.constantFrom(...AGGREGATES))
  .map(([key, aggregate]) => ({
    one: `table t | eventstats ${aggregate} as g by ${key} | search isnotnull(${key}) | fields _id, g`,
    others: [`table t | join ${key} [ table t | stats ${aggregate} as g by ${key} ] | fields _id, g`],
  }));

/** The first of each key in order of arrival. */
const deduped = fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom('1', '2')).map(([key, count]) => ({
  one: `table order=asc t | dedup count=${count} ${key} | fields _id`,
  others: [`table t | sort limit=${count} _time, _id by ${key} | fields _id`],
}));

const all = fc.oneof(unequal, parted, negated, grouped, deduped);

export const laws = checkOf<Case>({
  name: 'laws',
  given: fc.record({ law: all, world: smallWorld }),
  judge: async ({ law: { one, others }, world }) => {
    await using runner = await QueryRunner.open(world, UNDECLARED);
    const wanted = (await runner.run(one)).rows;
    const found: Row[] = [];
    for (const other of others) found.push(...(await runner.run(other)).rows);
    if (areSameRows(found, wanted, false)) return undefined;
    const texts = [one, ...others].join('\n');
    return `${texts}\n${worldText(world.tables)}\n  the first\n${rowsShown(wanted)}\n  the others\n${rowsShown(found)}`;
  },
});

/** Normalized text (12.3) gives the same rows and is its own normalized text; counts are those of counting queries. */
export const prints = checkOf<Pick<Case, 'world'> & { readonly text: string }>({
  name: 'prints',
  given: fc.record({ text: pipeline, world: smallWorld }),
  judge: async ({ text, world }) => {
    if (/\b(union|join|seq)\b/.test(text)) return SKIPPED;
    await using runner = await QueryRunner.open(world, UNDECLARED);
    const plain = await runner.run(text);
    if (plain.warnings.includes(90901)) return SKIPPED;
    const again = await runner.run(plain.normalized);
    const told = (what: string) => `${text}\n${plain.normalized}\n${worldText(world.tables)}\n  ${what}`;
    if (again.normalized !== plain.normalized) return told(`is printed as ${again.normalized}`);
    if (!areSameRows(plain.rows, again.rows, plain.isOrdered)) return told('gives other rows when printed');
    const commands = plain.normalized.split(' | ');
    if (commands.length !== plain.pushes.length || /\blimit\b/.test(text)) return undefined;
    for (const [at, pushed] of plain.pushes.entries()) {
      if (commands[at]?.startsWith('set ')) continue;
      const [counted] = (await runner.run(`${commands.slice(0, at + 1).join(' | ')} | stats count`)).rows;
      if (counted?.get('count') !== pushed)
        return told(`${commands[at]} has ${counted?.get('count')} rows, not ${pushed}`);
    }
    return undefined;
  },
});
