// Reads every setting from its flag, its environment variable or vigil.toml, in this order. The result is frozen; no
// other code reads the environment.

import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { nearMiss } from '#kernel/near-miss.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { type Config, SETTING_NAMES, type SettingName, settings } from './index.ts';
import { memoryDefaults } from './queries.ts';
import type { Setting } from './setting.ts';

const CONFIG_FILE = 'vigil.toml';

export interface ConfigSources {
  /** Flags by name, without their dashes. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A settings file that must exist; without it `vigil.toml` is read if it exists. */
  readonly file?: string;
  /** Replace the defaults of the settings themselves. */
  readonly defaults?: Readonly<Partial<Record<SettingName, string>>>;
}

export async function readConfig({ flags, environment, file, defaults = {} }: ConfigSources): Promise<Config> {
  const written = await readSettingsFile(file);
  const textOf = (name: SettingName) => flags[name] ?? environment[variableOf(name)] ?? written[name] ?? defaults[name];
  const isDemo = textOf('demo') === 'true';
  const entries = SETTING_NAMES.map((name) => {
    const { initial, initialInDemo, read }: Setting<unknown> = settings[name];
    const text = textOf(name) ?? (isDemo ? (initialInDemo ?? initial) : initial);
    return [name, text === undefined ? undefined : read(text, name)] as const;
  });
  const given = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  // `settings` and Config name the same keys; the fold over entries hides that from the compiler.
  const config = { keys: keysFolder(environment), ...memoryDefaults(), ...given } as unknown as Config;
  if ((config['tls-cert'] === undefined) !== (config['tls-key'] === undefined)) throw new UsageError('tls-half-given');
  return Object.freeze(config);
}

/** `trusted-proxies` is VIGIL_TRUSTED_PROXIES in the environment. */
export const variableOf = (name: string): string => `VIGIL_${name.toUpperCase().replaceAll('-', '_')}`;

export function unknownName(code: 'unknown-flag' | 'unknown-key', name: string, known: readonly string[]): UsageError {
  const suggestion = nearMiss(name, known);
  return new UsageError(suggestion ? `${code}-near` : code, { name, suggestion: suggestion ?? '' });
}

async function readSettingsFile(file: string | undefined): Promise<Record<string, string>> {
  const path = file ?? CONFIG_FILE;
  if (!existsSync(path)) {
    if (file === undefined) return {};
    throw new UsageError('no-settings-file', { path });
  }
  const { parse } = await import('smol-toml');
  let table: Record<string, unknown>;
  try {
    table = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new UsageError('bad-settings-file', { path, reason: cause instanceof Error ? cause.message : '' }, { cause });
  }
  const unknown = Object.keys(table).find((name) => !Object.hasOwn(settings, name));
  if (unknown !== undefined) throw unknownName('unknown-key', unknown, SETTING_NAMES);
  return Object.fromEntries(
    Object.entries(table).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

function keysFolder(environment: ConfigSources['environment']): string {
  return join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'vigil');
}
