// Reads every setting from its flag, its environment variable or vigil.toml, in this order. The result is frozen; no
// other code reads the environment.

import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { nearMiss } from '#kernel/text/near-miss.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { type Config, SETTING_NAMES, type SettingName, settings } from './index.ts';
import type { Setting } from './setting.ts';
import { requireFittingNode } from './subjects/nodes.ts';
import { memoryDefaults } from './subjects/queries.ts';

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

/** In the order in which they count. */
export const SETTING_SOURCES = ['flag', 'environment', 'file', 'default'] as const;

/** The settings of a service, and where each of them came from. */
export interface ReadSettings {
  readonly config: Config;
  readonly sources: Readonly<Record<SettingName, SettingSource>>;
}

export interface SettingSource {
  readonly kind: (typeof SETTING_SOURCES)[number];
  /** Undefined for a setting that is off, or computed, by default. */
  readonly text: string | undefined;
}

export const readConfig = async (sources: ConfigSources): Promise<Config> => (await readSettings(sources)).config;

export async function readSettings(given: ConfigSources): Promise<ReadSettings> {
  const { environment } = given;
  const written = await readSettingsFile(given.file);
  const sourceOf = (name: SettingName) => sourceIn(name, given, written);
  const isDemo = sourceOf('demo').text === 'true';
  // The names of the entries are those of all settings.
  const sources = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, withInitial(settings[name], sourceOf(name), isDemo)]),
  ) as ReadSettings['sources'];
  const entries = SETTING_NAMES.map((name) => {
    return [name, settingValue(name, sources[name])] as const;
  });
  const values = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  // `settings` and Config name the same keys; the fold over entries hides that from the compiler.
  const config = { keys: keysFolder(environment), ...memoryDefaults(), ...values } as unknown as Config;
  if ((config['tls-cert'] === undefined) !== (config['tls-key'] === undefined)) throw new UsageError('tls-half-given');
  requireFittingNode(config);
  return { config: Object.freeze(config), sources };
}

/** An empty variable is a list without items; for any other setting it is a mistake, often of a script. */
function settingValue(name: SettingName, { kind, text }: SettingSource): unknown {
  const { read }: Setting<unknown> = settings[name];
  if (text === undefined) return undefined;
  if (text !== '' || kind !== 'environment') return read(text, name);
  const empty = new UsageError('variable-empty', { variable: variableOf(name), name });
  try {
    const value = read(text, name);
    if (Array.isArray(value)) return value;
  } catch (cause) {
    throw Object.assign(empty, { cause });
  }
  throw empty;
}

function sourceIn(
  name: SettingName,
  { flags, environment, defaults = {} }: ConfigSources,
  written: Readonly<Record<string, string>>,
): SettingSource {
  const texts = { flag: flags[name], environment: environment[variableOf(name)], file: written[name] };
  const kind = SETTING_SOURCES.find((one) => one !== 'default' && texts[one] !== undefined);
  return kind && kind !== 'default' ? { kind, text: texts[kind] } : { kind: 'default', text: defaults[name] };
}

const withInitial = ({ initial, initialInDemo }: Setting<unknown>, source: SettingSource, isDemo: boolean) => ({
  ...source,
  text: source.text ?? (isDemo ? (initialInDemo ?? initial) : initial),
});

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
