// Configuration of collecting loggers, by kind. Validated when a logger is written, and again when it starts: its model may
// have changed its kind meanwhile.

import { isIP } from 'node:net';
import { missing, notAllowedPath, wrongAddress, wrongNamePattern } from '#contract/errors.ts';
import { charset } from '#operations/params/charset-param.ts';
import { type JsonObject, members } from '#operations/params/json-params.ts';
import { alongside, type InputOf, int, meaning, oneOf, orElse, required, text } from '#operations/params/params.ts';
import type { CollectFolders } from './folders.ts';
import { staysBelow } from './name-patterns.ts';

const MAX_PATH = 4096;
const MAX_PATTERN = 255;
const MAX_FILE_NAME = 255;

const bind = orElse(
  meaning(text(45), {}, (value) => {
    if (isIP(value) === 0) throw wrongAddress(value);
    return value;
  }),
  '0.0.0.0',
);

const port = required(int(1n, 65535n));

const pattern = meaning(text(MAX_PATTERN), {}, (value, name) => {
  if (!staysBelow(value)) throw wrongNamePattern(name, value);
  return value;
});

const framing = oneOf(['newline', 'octet-count']);

const udpConfigs = { port, bind };
const tcpConfigs = { port, bind, framing };
const tlsConfigs = {
  port,
  bind,
  cert: text(MAX_FILE_NAME),
  key: alongside(text(MAX_FILE_NAME), (key, { cert }) => {
    if (key === undefined && cert !== undefined) throw missing('configs.key');
    if (key !== undefined && cert === undefined) throw missing('configs.cert');
  }),
  client_auth: orElse(oneOf(['none', 'optional', 'required']), 'none'),
  client_ca: alongside(text(MAX_FILE_NAME), (ca, { client_auth }) => {
    if (ca === undefined && client_auth !== 'none') throw missing('configs.client_ca');
  }),
  framing,
};
const fileConfigs = {
  path: required(text(MAX_PATH)),
  pattern,
  from: orElse(oneOf(['start', 'end']), 'end'),
  charset: orElse(charset, 'utf-8'),
};

export type UdpConfigs = InputOf<typeof udpConfigs>;
export type TcpConfigs = InputOf<typeof tcpConfigs>;
export type TlsConfigs = InputOf<typeof tlsConfigs>;
export type FileConfigs = InputOf<typeof fileConfigs>;

const readers = {
  'syslog-udp': members(udpConfigs),
  'syslog-tcp': members(tcpConfigs),
  'syslog-tls': members(tlsConfigs),
  file: members(fileConfigs),
} as const;

export type CollectedKind = keyof typeof readers;

export const COLLECTED_KINDS = Object.keys(readers) as CollectedKind[];

export const isCollected = (kind: string | null): kind is CollectedKind =>
  kind !== null && Object.hasOwn(readers, kind);

type Configs = { [K in CollectedKind]: { readonly kind: K } & ReturnType<(typeof readers)[K]> }[CollectedKind];

/** These parameters do not depend on the context. */
const READ_CONTEXT = { now: Temporal.Instant.fromEpochMilliseconds(0), maxGuids: 0 };

/** Refuses an invalid configuration; errors name the key. */
export function readConfigs(kind: CollectedKind, given: JsonObject, folders: CollectFolders): Configs {
  if (kind !== 'file') return { kind, ...readers[kind](given, 'configs', READ_CONTEXT) } as Configs;
  const configs = readers.file(given, 'configs', READ_CONTEXT);
  if (!folders.allows(configs.path)) throw notAllowedPath('configs.path', configs.path);
  return { kind, ...configs };
}
