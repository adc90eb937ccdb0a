// The parts of the suite: together they are all tests, and each has its script and its row in CONTRIBUTING.md.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Part, QUICK, REST } from './parts.ts';
import { chooseNear, STRUCTURE } from './support/near-tests.ts';
import { isTest, ROOT, sourcesIn } from './support/sources.ts';
import { readTimes } from './support/times.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const scripts: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;
const parts = Object.entries({ ...QUICK, ...REST });

describe('The parts of the suite', () => {
  it('are all test files together', () => {
    const all = sourcesIn('{src,test,console}/**/*.test.ts').filter(isTest);
    const inParts = new Set(parts.flatMap(([, { files }]) => files));
    expect(all.map(({ path }) => path).filter((path) => !inParts.has(path))).toEqual([]);
  });

  it('have a file in two of them only where each runs another variant of its suites', () => {
    const variant = ({ databases, outside }: Part) => `${databases} ${outside}`;
    const runs = parts.flatMap(([, part]) => part.files.map((file) => `${file} ${variant(part)}`));
    expect(runs.filter((run, at) => runs.indexOf(run) !== at)).toEqual([]);
  });

  it('are run by npm test and npm run test:rest, and each by its own name', () => {
    const selected = (script = '') => [...script.matchAll(/--project '?(!?\w+)/g)].map(([, name]) => name);
    expect(selected(scripts.test)).toEqual(Object.keys(QUICK));
    expect(selected(scripts['test:rest'])).toEqual(Object.keys(QUICK).map((name) => `!${name}`));
    expect(Object.keys(REST).filter((name) => scripts[`test:${name}`] === undefined)).toEqual([]);
  });

  it('stand in CONTRIBUTING.md', () => {
    const text = read('CONTRIBUTING.md');
    const names = Object.keys(scripts).filter((name) => name.startsWith('test:'));
    expect(names.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`npm run ${name}`))).toEqual([]);
  });

  it('need nothing but npm for npm test', () => {
    expect(Object.values(QUICK).flatMap(({ needs }) => needs)).toEqual([]);
  });

  it('have times of files that exist', () => {
    const known = new Set(parts.flatMap(([name, { files }]) => files.map((file) => `${name} ${file}`)));
    expect(Object.keys(readTimes()).filter((key) => !known.has(key))).toEqual([]);
  });
});

describe('The tests near a change', () => {
  const files = (changed: readonly string[], isDeep = false) =>
    chooseNear({ changed, isDeep }).chosen.map(({ file }) => file);

  it('are those beside it, those that import it directly, and those of the structure', () => {
    const near = files(['src/kernel/json/canonical-json.ts']);
    expect(near).toEqual(expect.arrayContaining([...STRUCTURE, 'src/kernel/json/canonical-json.test.ts']));
  });

  it('are counted over further imports, and run with --deep', () => {
    const { chosen, tooLong, deeper } = chooseNear({ changed: ['src/store/rows/names.ts'], isDeep: false });
    expect(deeper).toBeGreaterThan(20);
    expect(files(['src/store/rows/names.ts'], true)).toHaveLength(chosen.length + tooLong.length + deeper);
  });

  it('hold the structure alone where no source has changed', () => {
    expect(files(['README.md'])).toEqual(STRUCTURE);
  });
});
