import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUNDLE_FOLDER, isCurrent, MANIFEST_FILE, stampOf } from './bundle.ts';

/** An installation with a bundle of one source. */
function makeInstallation() {
  const root = mkdtempSync(join(tmpdir(), 'vigil-bundle-'));
  mkdirSync(join(root, 'src'));
  mkdirSync(join(root, BUNDLE_FOLDER), { recursive: true });
  writeFileSync(join(root, 'src/one.ts'), 'one');
  const manifest = () => join(root, BUNDLE_FOLDER, MANIFEST_FILE);
  writeFileSync(manifest(), JSON.stringify({ sources: [stampOf(root, 'src/one.ts')], warmUp: [] }));
  return { root, manifest, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

describe('A bundle', () => {
  it('is current while its sources are what they were', () => {
    using installation = makeInstallation();
    expect(isCurrent(installation.root)).toBe(true);
  });

  it('is not, once one of them has changed or is gone', () => {
    using installation = makeInstallation();
    const source = join(installation.root, 'src/one.ts');
    writeFileSync(source, 'two');
    expect(isCurrent(installation.root)).toBe(false);
    rmSync(source);
    expect(isCurrent(installation.root)).toBe(false);
  });

  it('is current in a copy, whose files have other times, and compares their contents once', () => {
    using installation = makeInstallation();
    const source = join(installation.root, 'src/one.ts');
    utimesSync(source, 1, 1);
    expect(isCurrent(installation.root)).toBe(true);
    const [[, , changed, digest]] = JSON.parse(readFileSync(installation.manifest(), 'utf8')).sources;
    expect([changed, digest]).toEqual([1000, stampOf(installation.root, 'src/one.ts')[3]]);
    expect(readdirSync(join(installation.root, BUNDLE_FOLDER))).toEqual([MANIFEST_FILE]);
  });

  it('is not, where a file of the same size has another time and other contents', () => {
    using installation = makeInstallation();
    const before = readFileSync(installation.manifest(), 'utf8');
    writeFileSync(join(installation.root, 'src/one.ts'), 'two');
    utimesSync(join(installation.root, 'src/one.ts'), 1, 1);
    expect(isCurrent(installation.root)).toBe(false);
    expect(readFileSync(installation.manifest(), 'utf8')).toBe(before);
  });

  it('is current where there are no sources', () => {
    using installation = makeInstallation();
    rmSync(join(installation.root, 'src'), { recursive: true });
    expect(isCurrent(installation.root)).toBe(true);
  });

  it('is not, while it is unfinished', () => {
    using installation = makeInstallation();
    rmSync(installation.manifest());
    expect(isCurrent(installation.root)).toBe(false);
  });

  it('that a killed build left without its last file is not loaded: the sources run', () => {
    using installation = makeInstallation();
    const at = (...names: string[]) => join(installation.root, ...names);
    for (const folder of ['bin', 'src/cli']) mkdirSync(at(folder), { recursive: true });
    for (const path of ['package.json', 'bin/vigil.js', 'bin/locked-node.js'])
      copyFileSync(join(import.meta.dirname, '../..', path), at(path));
    const printing = (text: string) =>
      `export const isCurrent = () => true; export const run = () => console.log('${text}');`;
    writeFileSync(at('src/cli/executable.ts'), printing('sources'));
    writeFileSync(
      at(BUNDLE_FOLDER, 'executable.js'),
      `import './a-chunk-that-was-not-written.js'; ${printing('bundle')}`,
    );
    const start = () => spawnSync(process.execPath, [at('bin/vigil.js')], { encoding: 'utf8' }).stdout;
    rmSync(installation.manifest());
    expect(start()).toBe('sources\n');
    writeFileSync(installation.manifest(), '{"sources":[],"warmUp":[]}');
    writeFileSync(at(BUNDLE_FOLDER, 'executable.js'), printing('bundle'));
    expect(start()).toBe('bundle\n');
  });
});
