// `remote` on other nodes, as it is planned: its query is a part of no other one, and is known by its columns and by what it writes.

import { describe, expect, it } from 'vitest';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import { known } from '#test/support/known-plan-node.ts';
import { check, outcome, world } from '#test/support/query.ts';

const otherNodes = new Map([
  ['n2', { isAlive: true }],
  ['n3', { isAlive: false }],
]);
const outcomeOf = (text: string) => outcome(text, world({ otherNodes }));
const planOf = (text: string) => check(text, { otherNodes });
const fieldsOf = (text: string) => {
  const { columns, overflow, order } = planOf(text).plan.result.rows;
  return [columns.map(({ name, type }) => `${name} ${type}`), overflow !== undefined, order !== undefined];
};

describe('remote on another node', () => {
  it.each([
    ['remote n2 [ table t ]', 'remote n2 [ table t ]'],
    // It may be back when the query runs.
    ['remote n3 [ table t ]', 'remote n3 [ table t ]'],
    ['remote n4 [ table t ]', '10500 7..9'],
    ['table n3:t', '10500 6..8'],
    ['remote n2 [ table nope ]', '10001 18..22'],
    ['remote n2 [ remote n3 [ table t ] ]', '10501 19..21'],
    ['remote n2 [ remote vigil [ table t ] ]', '10501 19..24'],
    ['remote * [ remote vigil [ table t ] ]', '10501 18..23'],
    ['remote n2 [ table vigil:t ]', 'remote n2 [ table vigil:t ]'],
    ['remote n2 [ table n4:t ]', '10500 18..20'],
    ['remote * [ remote n2 [ table t ] ]', '10501 18..20'],
    ['remote n2 [ remote n2 [ table t ] ]', 'remote n2 [ remote n2 [ table t ] ]'],
    ['remote vigil [ remote n2 [ table t ] ]', 'remote vigil [ remote n2 [ table t ] ]'],
    ['remote n2 [ csvfile nowhere/x.csv ]', 'remote n2 [ csvfile nowhere/x.csv ]'],
    ['remote n2 [ wget url=http://elsewhere.example/ ]', 'remote n2 [ wget url=http://elsewhere.example/ ]'],
    ['setq [ remote n2 [ table t | import r ] ] | table t', '92002 29..35'],
  ])('%s', (text, wanted) => expect(outcomeOf(text)).toBe(wanted));

  it('writes nothing inside of a setq, not by a procedure either', () => {
    const writing = {
      name: 'writing',
      parameters: [],
      text: 'table t | import r',
      mayRun: true,
      queryContext: world(),
    };
    const context = world({ otherNodes, procedures: new Map([['writing', writing]]) });
    expect(outcome('remote n2 [ proc writing() ]', context)).toBe('remote n2 [ proc writing() ]');
    expect(outcome('setq [ remote n2 [ proc writing() ] ] | table t', context)).toBe('92002 24..31');
  });

  it('plans procedures for that node, too: without the values that are known here, and without the files of this node', () => {
    const setqResults = [new Map([['t', 'x']])];
    const here = { otherNodes, setqResults, imports: { isInside: () => false } };
    const procedureOf = (text: string) => ({
      name: 'p',
      parameters: [],
      text,
      mayRun: true,
      queryContext: world(here),
    });
    const contextFor = (text: string) => ({ ...here, procedures: new Map([['p', procedureOf(text)]]) });
    const setting = contextFor('setq [ json "{u:1}" ] | json "{}" | eval v = $("u")');
    const { columns, overflow } = check('setq [ json "{t:1}" ] | remote n2 [ proc p() ]', setting).plan.result.rows;
    expect([columns, overflow !== undefined]).toEqual([[], true]);
    const outcomeWith = (text: string) => outcome('remote n2 [ proc p() ]', world(contextFor(text)));
    expect(outcomeWith('csvfile nowhere/x.csv')).toBe('remote n2 [ proc p() ]');
    expect(outcomeWith('table vigil:t')).toBe('remote n2 [ proc p() ]');
    expect(outcomeWith('remote n3 [ table t ]')).toBe('10501 17..18');
    expect(outcome('proc p()', world(contextFor('csvfile nowhere/x.csv')))).toBe('10800 5..6');
  });

  it.each([
    ['remote n2 [ table t | fields b, a ]', [['b string', 'a long'], false, true]],
    ['remote * [ table t | fields b, a ]', [['b string', 'a long'], false, false]],
    ['remote n2 [ table o | fields a ]', [['a long'], false, true]],
    ['remote n2 [ setq [ table t ] | table t | fields a ]', [[], true, true]],
    ['remote n2 [ table t | pivot count rows a cols b ]', [[], true, true]],
    ['remote n2 [ table t | drop | json "{a:1}" ]', [[], true, true]],
  ])('%s has the columns that are known before it runs', (text, wanted) => expect(fieldsOf(text)).toEqual(wanted));

  it('has no part that runs on this node', () => {
    const { next, references } = planOf(
      'remote n2 [ setq [ table t | stats count ] | table t | timechart count by b ]',
    );
    expect([next, [...references.tables], references.pipelines.length]).toEqual([undefined, [], 1]);
    expect([...references.namedTables]).toEqual(['t']);
  });

  it('takes the values that its text inherits, once they are there', () => {
    const { plan } = planOf('set a = 2 | set _timezone = "Asia/Tokyo" | remote n2 [ table t | search a == $("a") ]');
    expect(plan.result).toMatchObject({
      kind: 'remote-rows',
      query: { text: 'table t | search a == $("a")', zone: 'Asia/Tokyo', range: {} },
    });
    const result = known(plan.result);
    const query = result.kind === 'remote-rows' ? result.query : undefined;
    expect([query?.constants.get('a'), query?.constants.get('p')]).toEqual([2n, 5n]);
  });

  it('names all accounts that have called its text, the outermost first', () => {
    const procedureOf = (name: string, text: string, more: object) => ({
      name,
      text,
      parameters: [],
      mayRun: true,
      queryContext: world({ otherNodes, ...more }),
    });
    const inner = procedureOf('inner', 'remote n2 [ table t ]', { account: 'b' });
    const outer = procedureOf('outer', 'proc inner()', { account: 'a', procedures: new Map([['inner', inner]]) });
    const { plan } = check('proc outer()', { otherNodes, procedures: new Map([['outer', outer]]) });
    const bodyOf = (node: PlanNode) => ('body' in node ? (node.body as Plan).result : node);
    const asked = bodyOf(bodyOf(plan.result));
    expect(asked).toMatchObject({ kind: 'remote-rows', account: 'b', callers: [undefined, 'a'] });
  });

  it.each([
    ['remote n2 [ table t ]', false, []],
    ['remote n2 [ table t | import r ]', true, ['import']],
    ['remote n2 [ table t | memlookup op=build name=m key=a b ]', true, []],
    ['remote n2 [ dbquery db "select 1" ]', true, []],
  ])('%s writes what its query writes', (text, hasSink, sinks) => {
    const { references } = planOf(text);
    expect([references.hasSink, references.isPlainRead]).toEqual([hasSink, false]);
    expect(references.sinks.map(({ name }) => name)).toEqual(sinks);
  });

  it('counts its commands and those of its procedures with all others', () => {
    const many = Array.from({ length: 80 }, () => 'union [ remote n2 [ proc none() ] ]').join(' | ');
    expect(outcomeOf(many)).toMatch(/^90009 /);
  });
});
