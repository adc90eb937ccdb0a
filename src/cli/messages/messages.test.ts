import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { ko } from './ko.ts';

const SOURCES = join(import.meta.dirname, '../..');
const sources = globSync('**/*.ts', { cwd: SOURCES })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(SOURCES, path), 'utf8') }));

describe('Messages of the command', () => {
  it('exist for every UsageError that any file throws', () => {
    const thrown = sources.flatMap(({ path, text }) => codesThrown(path, text));
    expect(thrown.length).toBeGreaterThan(20);
    expect(thrown.filter((code) => !Object.hasOwn(en, code))).toEqual([]);
  });

  it('have the same holes in both languages', () => {
    for (const [code, text] of Object.entries(en)) {
      expect({ code, holes: holesIn(ko[code as keyof typeof en]) }).toEqual({ code, holes: holesIn(text) });
    }
  });

  it('are all said somewhere', () => {
    const others = sources.filter(({ path }) => !path.startsWith('cli/messages/')).map(({ text }) => text);
    const unsaid = Object.keys(en).filter(
      (code) => !others.some((text) => text.includes(`'${code.replace(/-near$/, '')}'`)),
    );
    expect(unsaid).toEqual([]);
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
