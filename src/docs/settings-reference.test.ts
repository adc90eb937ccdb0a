import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SETTING_NAMES } from '#settings/index.ts';
import { readConfig, variableOf } from '#settings/read-config.ts';
import { settingsFile, settingsReference } from './settings-reference.ts';

it('The settings file in the reference says what holds without it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-settings-'));
  const file = join(folder, 'vigil.toml');
  writeFileSync(file, settingsFile());
  const sources = { flags: {}, environment: {} };
  expect(await readConfig({ ...sources, file })).toEqual(await readConfig(sources));
  rmSync(folder, { recursive: true });
});

it('The reference of settings has a row for each, with its flag and its variable', () => {
  const rows = settingsReference().split('\n');
  const missing = SETTING_NAMES.filter(
    (name) => !rows.some((row) => row.startsWith(`| \`${name}\` | \`--${name}`) && row.includes(variableOf(name))),
  );
  expect(missing).toEqual([]);
});
