import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messages } from './index.ts';
import type { Message } from './message.ts';

const SOURCES = join(import.meta.dirname, '../..');
const sources = globSync('**/*.ts', { cwd: SOURCES })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(SOURCES, path), 'utf8') }));

const all: readonly (readonly [string, Message])[] = Object.entries(messages);

describe('Messages of the command', () => {
  it('exist for every UsageError that any file throws', () => {
    const thrown = sources.flatMap(({ path, text }) => codesThrown(path, text));
    expect(thrown.length).toBeGreaterThan(20);
    expect(thrown.filter((code) => !Object.hasOwn(messages, code))).toEqual([]);
  });

  it('have the same holes in both languages', () => {
    for (const [code, { en, ko }] of all) expect({ code, holes: holesIn(ko) }).toEqual({ code, holes: holesIn(en) });
  });

  it('have no pair of Korean particles, of which one is wrong beside every value', () => {
    const paired = all.filter(([, { ko }]) => /[가-힣]?\([가-힣]\)[가-힣]?/.test(ko.replaceAll('(초)', '')));
    expect(paired).toEqual([]);
  });

  it('have no Korean particle beside a value that it may not fit', () => {
    // 의, 에, 부터, 까지, 중 and forms of 이다 are the same beside every word.
    const unfit = all.filter(([, { ko }]) => /\}`?(을|를|이|가|은|는|와|과|로|으로)(?![가-힣])/.test(ko));
    expect(unfit).toEqual([]);
  });

  it('are all used', () => {
    const others = sources.filter(({ path }) => !path.startsWith('cli/messages/')).map(({ text }) => text);
    const unused = Object.keys(messages).filter(
      (code) => !others.some((text) => text.includes(`'${code.replace(/-near$/, '')}'`)),
    );
    expect(unused).toEqual([]);
  });
});

const holesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

/** The codes in the first argument of every `new UsageError(…)`, and of `unknownName(…)`, which adds `-near` to its own. */
function codesThrown(path: string, text: string): string[] {
  const plain = [...text.matchAll(/new UsageError\(\s*([^,()]+)/g)].flatMap(([, argument = '']) => {
    const codes = (argument.match(/'[a-z]+(?:-[a-z]+)+'|'[a-z]+'/g) ?? []).map((code) => code.slice(1, -1));
    const isByUnknownName = /\$\{code\}-near/.test(argument);
    // A code that cannot be read here could not be checked: it must be written out where it is thrown.
    if (codes.length === 0 && !isByUnknownName)
      throw new Error(`${path}: no code in new UsageError(${argument.trim()}`);
    return codes;
  });
  const named = [...text.matchAll(/unknownName\(\s*'([a-z-]+)'/g)].flatMap(([, code]) => [`${code}`, `${code}-near`]);
  return [...plain, ...named];
}
