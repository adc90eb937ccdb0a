// One list of each kind, and everything in it complete.

import { describe, expect, it } from 'vitest';
import { en } from '#contract/labels/en.ts';
import { ko } from '#contract/labels/ko.ts';
import { actionOf } from '#operations/calls/audit-params.ts';
import { isReading } from '#operations/endpoint.ts';
import { allEndpoints, nodeOperations, operations, ownOperations } from '#resources/index.ts';
import { sourcesIn } from '#test/support/sources.ts';

const all = [...operations, ...nodeOperations, ...ownOperations('open')];

describe('The operations', () => {
  it('are declared once each', () => {
    const names = allEndpoints().map(({ method, path }) => `${method} ${path}`);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('are all listed: no file declares one that is not served', () => {
    const sources = sourcesIn('src/resources/**/*.ts');
    const declared = sources.flatMap(({ text }) => [...text.matchAll(/^ *endpoint\(\{|= endpoint\(\{/gm)]);
    // What is declared for a kind of rules is there for both.
    const ofRules = sources.flatMap(({ text }) => [
      ...text.matchAll(/<K extends RuleKind>\(kind: K\) =>\s+endpoint\(\{/g),
    ]);
    const families = sources.flatMap(({ text }) => [...text.matchAll(/= family\(\{/g)]);
    expect(declared.length + ofRules.length + 5 * families.length).toBe(all.length);
  });

  it('declare the parameters of their path first, in the order of the path', () => {
    for (const { path, params } of all) {
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(params).slice(0, inPath.length)).toEqual(inPath);
    }
  });

  it('leave an audit entry whenever they change something; those that only bring data or look do not', () => {
    const silent = operations.filter(({ method, ...rest }) => !isReading(method) && !('audit' in rest));
    expect(silent.map(({ title }) => title)).toEqual([
      'Push logs to table',
      'Test stream rules',
      'Preview parser',
      'Push logs',
      'Append to upload',
      'Check query',
      'Replace preferences',
    ]);
    const units = silent.filter((operation) => !('isUnit' in operation));
    expect(units.map(({ title }) => title)).toEqual(['Replace preferences']);
  });
});

describe('The audit catalogue', () => {
  it('defines a category for every action, and an action for every refused read', () => {
    const modules = new Set(Object.keys(en.actions).map((code) => code.split('.')[0]));
    expect([...modules].toSorted()).toEqual(Object.keys(en.categories).toSorted());
    const refusable = allEndpoints().filter(({ access, path }) => access !== 'none' && path.startsWith('/api/'));
    const codes = refusable.map(actionOf).map(({ module, method }) => `${module}.${method}`);
    expect(codes.filter((code) => !Object.hasOwn(en.actions, code))).toEqual([]);
  });

  it('fills the same holes in both languages', () => {
    const holes = (message: string) => [...message.matchAll(/\{([\w.|]+)\}/g)].map(([, name]) => name).toSorted();
    for (const [code, { message }] of Object.entries(ko.actions)) {
      expect(holes(message), code).toEqual(holes(en.actions[code as keyof typeof en.actions].message));
    }
  });
});
