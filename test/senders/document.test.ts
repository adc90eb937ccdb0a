// docs/senders.md names paths, settings, headers and kinds of loggers: each is declared. documented-programs.test.ts runs its
// snippets.

import { describe, expect, it } from 'vitest';
import { COLLECTED_KINDS, isCollected, readConfigs } from '#collectors/configs/configs.ts';
import { CollectFolders } from '#collectors/configs/folders.ts';
import { openapiOf } from '#docs/openapi/openapi.ts';
import { allEndpoints } from '#resources/index.ts';
import { SENDER_NAMES } from '#senders/names.ts';
import { settings } from '#settings/index.ts';
import { documentText as text } from './document.ts';

const endpoints = allEndpoints('open', SENDER_NAMES);
const matches = (pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].flatMap(([, found]) => found ?? [])),
];
const isTaken = (path: string) =>
  endpoints.some(({ method, path: known }) => {
    const pattern = known.replace(/:\w+/g, '[^/]+').replaceAll('.', '\\.');
    return method === 'POST' && new RegExp(`^${pattern}$`).test(path);
  });

describe('The document of senders', () => {
  it('names paths that take logs', () => {
    const paths = matches(/(?:URL|:8470|POST |URI +)(\/[\w./:-]+)/g);
    expect(paths.length).toBeGreaterThan(6);
    expect(paths.filter((path) => !isTaken(path))).toEqual([]);
  });

  it('names settings that exist, and all of the senders', () => {
    const named = matches(/\b(senders-[a-z-]+|failure-alarm-group)\b/g);
    expect(named.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
    const own = Object.keys(settings).filter((name) => name.startsWith('senders-'));
    expect(own.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('names every protocol', () => {
    expect(SENDER_NAMES.filter((name) => !text.includes(`| \`${name}\``))).toEqual([]);
    expect(text).toContain(`--senders ${SENDER_NAMES.join(',')}`);
  });

  it('names headers that are read', () => {
    const openapi = JSON.stringify(openapiOf(endpoints)).toLowerCase();
    const headers = matches(/\b(X-[A-Z][A-Za-z-]+)/g);
    expect(headers).toContain('X-Vigil-Table');
    expect(headers.filter((name) => !openapi.includes(`"${name.toLowerCase()}"`))).toEqual([]);
  });

  it('names kinds of loggers and keys of their configuration that are read', () => {
    const kinds = matches(/`(syslog-(?:udp|tcp|tls))`/g);
    expect(kinds.toSorted()).toEqual(COLLECTED_KINDS.filter((kind) => kind !== 'file').toSorted());
    const [, kind = '', configs = ''] = /logger_factory_name=(\S+)[\s\S]*?configs=(\{.*\})'/.exec(text) ?? [];
    if (!isCollected(kind)) throw new Error(`no kind: ${kind}`);
    const given = JSON.parse(configs);
    expect(readConfigs(kind, given, new CollectFolders([]))).toMatchObject(given);
  });
});
