// The configuration of a logger by its kind, as fields of a form and as the map that is sent.

import type { RequestFor } from '#client/call.ts';
import { present } from '#console/client/present.ts';
import type { FormField } from '#console/components/forms/form-field.ts';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import type { Logger } from './sources-search.ts';

type Configs = NonNullable<RequestFor<'POST /api/core/loggers'>['configs']>;

export interface ConfigValues {
  readonly port: number | undefined;
  readonly bind: string;
  readonly framing: string;
  readonly cert: string;
  readonly key: string;
  readonly client_auth: string;
  readonly client_ca: string;
  readonly path: string;
  readonly pattern: string;
  readonly from: string;
  readonly charset: string;
  readonly interval: number | undefined;
  readonly cron_schedule: string;
}

const KEYS: Readonly<Record<string, readonly (keyof ConfigValues)[]>> = {
  'syslog-udp': ['port', 'bind'],
  'syslog-tcp': ['port', 'bind', 'framing'],
  'syslog-tls': ['port', 'bind', 'framing', 'cert', 'key', 'client_auth', 'client_ca'],
  file: ['path', 'pattern', 'from', 'charset'],
};

export const NO_CONFIGS: ConfigValues = {
  port: undefined,
  bind: '',
  framing: '',
  cert: '',
  key: '',
  client_auth: 'none',
  client_ca: '',
  path: '',
  pattern: '',
  from: 'end',
  charset: '',
  interval: 5000,
  cron_schedule: '',
};

export function configValuesOf({ configs = {}, interval, cron_schedule = '' }: Logger): ConfigValues {
  const known = Object.keys(NO_CONFIGS).flatMap((name) => (name in configs ? [[name, configs[name]]] : []));
  return { ...NO_CONFIGS, ...Object.fromEntries(known), interval, cron_schedule };
}

/** Keys that no field shows stay as they are. */
export function configsOf(values: ConfigValues, kind: string, before: Readonly<Record<string, unknown>> = {}): Configs {
  const others = Object.entries(before).filter(([name]) => !(name in NO_CONFIGS));
  const chosen = (KEYS[kind] ?? []).map((name) => [name, values[name]] as const);
  // What is kept came as JSON from the service.
  return { ...Object.fromEntries(others), ...present(Object.fromEntries(chosen)) } as Configs;
}

export const useConfigFields = (kindOf: (draft: ConfigValues) => string): readonly FormField<ConfigValues>[] =>
  configFields(useLabels(), kindOf);

/** A field is shown where the kind that the draft means has it. */
export function configFields(
  { sources, common }: Labels,
  kindOf: (draft: ConfigValues) => string,
): readonly FormField<ConfigValues>[] {
  const { configs: labels, framings, clientAuths, froms } = sources;
  const isShownFor = (name: keyof ConfigValues) => (draft: ConfigValues) =>
    KEYS[kindOf(draft)]?.includes(name) ?? false;
  const isFile = (draft: ConfigValues) => kindOf(draft) === 'file';
  const optionsOf = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([value, label]) => ({ value, label }));
  const text = (name: 'bind' | 'cert' | 'key' | 'client_ca' | 'pattern' | 'charset', placeholder = '') =>
    ({ kind: 'text', name, label: labels[name], placeholder, isShown: isShownFor(name) }) as const;
  return [
    {
      kind: 'number',
      name: 'port',
      label: labels.port,
      min: 1,
      max: 65_535,
      isRequired: true,
      isShown: isShownFor('port'),
    },
    text('bind', '0.0.0.0'),
    {
      kind: 'choice',
      name: 'framing',
      label: labels.framing,
      options: optionsOf(framings),
      noneLabel: sources.recognised,
      isShown: isShownFor('framing'),
    },
    text('cert'),
    text('key'),
    {
      kind: 'choice',
      name: 'client_auth',
      label: labels.client_auth,
      options: optionsOf(clientAuths),
      isShown: isShownFor('client_auth'),
    },
    text('client_ca'),
    { kind: 'text', name: 'path', label: labels.path, hint: labels.pathHint, isRequired: true, isShown: isFile },
    text('pattern', '*.log'),
    { kind: 'choice', name: 'from', label: labels.from, options: optionsOf(froms), isShown: isFile },
    text('charset', 'utf-8'),
    { kind: 'number', name: 'interval', label: labels.interval, min: 1000, isShown: isFile },
    {
      kind: 'text',
      name: 'cron_schedule',
      label: labels.cron_schedule,
      hint: labels.cronHint,
      placeholder: common.none,
      isShown: isFile,
    },
  ];
}
