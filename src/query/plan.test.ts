// Plans: what compilers rely on, whatever the query; and what joins, procedures and parsers leave in them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dice } from '#kernel/dice.ts';
import { known } from '#test/support/known-plan-node.ts';
import { invalidPlanNodes } from '#test/support/plan-validity.ts';
import { check, outcome, queryErrorIn, world } from '#test/support/query.ts';
import { query } from '#test/support/query-generator.ts';
import { excerptOf } from './model/query-error.ts';
import { hasRows, type PlanNode } from './plan-nodes/plan.ts';

const dice = fc.gen().map((make): Dice => ({ below: (n) => make(fc.nat, { max: n - 1 }) }));

const last = (text: string) => known(check(text).plan.result);
const names = ({ rows }: PlanNode) => rows.columns.map(({ name }) => name);

describe('Plans', () => {
  it('read only what comes in and hand on only what is there', () => {
    fc.assert(
      fc.property(
        dice.map((rolled) => query(rolled)),
        (text) => {
          expect(invalidPlanNodes(check(text).plan)).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are found unsound when they are', () => {
    const { plan } = check('table t | fields a | sort a');
    const [table, fields] = plan.commands as [PlanNode, PlanNode];
    const stolen = { ...plan.result, input: table, rows: { columns: [{ id: 999, name: 'x', type: 'any' as const }] } };
    expect(invalidPlanNodes({ ...plan, result: stolen as PlanNode })).toEqual(['sort a: hands on 999']);
    expect(invalidPlanNodes({ ...plan, result: { ...fields, rows: { columns: [], order: [] } } })).not.toEqual([]);
  });

  it('have preamble nodes for what stands before the driver, and pass nodes after it', () => {
    expect(check('set k = 1 | table t | set l = 2').plan.commands.map(({ kind }) => kind)).toEqual([
      'preamble',
      'table',
      'pass',
    ]);
  });

  it('merge the overflows of both sides of a join or union', () => {
    expect(last('table o | fields - x | union [ table t ]')).toMatchObject({
      kind: 'union',
      overflow: { id: expect.any(Number), left: { without: ['x'] } },
    });
    const both = last('table o | join k [ table o ]');
    expect(both).toMatchObject({ overflow: { left: {}, right: {} } });
    expect(both.kind === 'join' && both.overflow?.id).toBe(both.rows.overflow?.id);
    expect(last('table t | union [ table r ]')).not.toHaveProperty('overflow');
    expect(last('table t | join a [ table o ]')).not.toHaveProperty('overflow.left');
  });

  it('take the columns of one side for leftonly and rightonly', () => {
    expect(names(last('table t | fields a, b | join type=leftonly a [ table r ]'))).toEqual(['a', 'b']);
    expect(names(last('table t | fields a, b | join type=rightonly a [ table r | fields a, d ]'))).toEqual(['a', 'd']);
    expect(names(last('table t | fields b, a | join a [ table r | fields d, a ]'))).toEqual(['b', 'a', 'd']);
  });

  it('give the rows of a procedure columns of their own', () => {
    const { plan } = check('table t | join a [ proc busy(1) ] | join b [ proc busy(2) ]');
    const ids = plan.commands
      .filter(hasRows)
      .map(known)
      .flatMap((node) => (node.kind === 'join' ? [node.right.result.rows.columns[0]?.id] : []));
    expect(new Set(ids).size).toBe(2);
    expect(invalidPlanNodes(plan)).toEqual([]);
  });

  it('rename, drop and order columns in place', () => {
    expect(names(last('json "{a:1,b:2,c:3}" | rename a as c, b as a'))).toEqual(['c', 'a']);
    expect(names(last('json "{a:1,b:2}" | rename a as x, a as y'))).toEqual(['x', 'b']);
    expect(names(last('json "{a:1,b:2}" | rename a as x, x as y, y as b'))).toEqual(['b']);
    expect(names(last('table o | fields a | rename a as x'))).toEqual(['x']);
    expect(names(last('json "{B:1,a:2,é:3,c:4}" | order c'))).toEqual(['c', 'B', 'a', 'é']);
    expect(names(last('json "{a:1,b:2}" | eval c = 1, a = 2'))).toEqual(['a', 'b', 'c']);
  });

  it('read a renamed or dropped key of the overflow as null', () => {
    const source = (text: string) => {
      const node = last(text);
      return node.kind === 'filter' && node.condition.kind === 'field' ? node.condition.source?.kind : undefined;
    };
    expect(source('table o | search k')).toBe('overflow');
    expect(source('table o | fields - k | search k')).toBe('absent');
    expect(source('table o | rename k as l | search k')).toBe('absent');
    expect(source('table o | rename k as l | search l')).toBe('column');
    expect(source('table o | rename a as k | search a')).toBe('absent');
  });
});

describe('What is stored elsewhere', () => {
  it('is wrong where it is named', () => {
    const broken = { ...world().procedures.get('none'), text: 'table t | serach a' };
    const context = world({
      procedures: new Map([['none', broken as never]]),
      parsers: new Map([
        ['bad', { kind: 'query', query: 'limit 1' }],
        ['worse', { kind: 'query', query: 'search (' }],
      ]),
    });
    expect(outcome('table t | union [ proc none() ]', context)).toBe('92000 23..27');
    expect(outcome('table t | parse bad', context)).toBe('92002 16..19');
    expect(outcome('table t | parse worse', context)).toBe('90202 16..21');
    const text = 'proc none()';
    const mistake = queryErrorIn(text, context);
    expect(mistake && excerptOf(text, mistake)).toBe('proc none()\n     ^^^^');
  });

  it('warns of nothing in its own text', () => {
    const quiet = { ...world().procedures.get('none'), text: 'table t | union [ table r ] | search wehn | limit 1' };
    expect(check('proc none()', { procedures: new Map([['none', quiet as never]]) }).warnings).toEqual([]);
    expect(
      check('table t | parse p', { parsers: new Map([['p', { kind: 'query', query: 'search lin' }]]) }).warnings,
    ).toEqual([]);
  });
});
