// Conditions by kind of expression, each beside JavaScript that means the same for the records of the bench.

import { BlockList } from 'node:net';
import type { MapValue } from '#query/model/values.ts';
import { GROUP, GROUP_ENTRIES } from './rule-records.ts';

export interface RuleCase {
  readonly name: string;
  readonly text: string;
  readonly byHand: (record: MapValue) => boolean;
}

const text = (record: MapValue, name: string): string => {
  const value = record.get(name);
  return typeof value === 'string' ? value : '';
};
const long = (record: MapValue, name: string): bigint => {
  const value = record.get(name);
  return typeof value === 'bigint' ? value : 0n;
};

const network = new BlockList();
network.addSubnet('10.128.0.0', 9);
const group = new BlockList();
for (const entry of GROUP_ENTRIES) group.addSubnet(entry.split('/')[0] ?? '', 24);

const hour = (record: MapValue): number => {
  const at = record.get('_time');
  return at instanceof Temporal.Instant ? at.toZonedDateTimeISO('Asia/Seoul').hour : -1;
};

const pairs = (line: string): Map<string, string> => {
  const found = new Map<string, string>();
  for (const piece of line.split(' ')) {
    const at = piece.indexOf('=');
    found.set(piece.slice(0, at), piece.slice(at + 1));
  }
  return found;
};

const BOTS = /bot|crawl(er)?\/[0-9]+/i;

export const ruleCases: readonly RuleCase[] = [
  { name: 'comparison', text: 'search status == 500', byHand: (record) => record.get('status') === 500n },
  {
    name: 'arithmetic',
    text: 'search bytes * 8 + 100 > 4000000',
    byHand: (record) => long(record, 'bytes') * 8n + 100n > 4_000_000n,
  },
  {
    name: 'wildcard',
    text: 'search path == "/api/*/log*"',
    byHand: (record) => {
      const path = text(record, 'path');
      return path.startsWith('/api/') && path.indexOf('/log', 5) !== -1;
    },
  },
  {
    name: 'regular expression',
    text: 'search match(agent, "(?i)bot|crawl(er)?/[0-9]+")',
    byHand: (record) => BOTS.test(text(record, 'agent')),
  },
  {
    name: 'address in a network',
    text: 'search innet(ip, "10.128.0.0/9")',
    byHand: (record) => network.check(text(record, 'ip')),
  },
  {
    name: 'address in a group of 500 networks',
    text: `matchnet field=ip guid=${GROUP}`,
    byHand: (record) => group.check(text(record, 'ip')),
  },
  { name: 'date', text: 'search datepart(_time, "hour") < 6', byHand: (record) => hour(record) < 6 },
  {
    name: 'string functions',
    text: 'search lower(substr(path, 0, 5)) == "/api/"',
    byHand: (record) => text(record, 'path').slice(0, 5).toLowerCase() === '/api/',
  },
  {
    name: 'parsejson',
    text: 'parsejson field=json overlay=t | search level == "warn"',
    byHand: (record) => JSON.parse(text(record, 'json')).level === 'warn',
  },
  {
    name: 'parsekv',
    text: 'parsekv overlay=t | search level == "warn"',
    byHand: (record) => pairs(text(record, 'line')).get('level') === 'warn',
  },
  {
    name: 'rule of five conditions',
    text: 'search status >= 200 and method == "POST" and path == "/api/*" and innet(ip, "10.128.0.0/9") and not(in(user, "root", "admin"))',
    byHand: (record) =>
      long(record, 'status') >= 200n &&
      record.get('method') === 'POST' &&
      text(record, 'path').startsWith('/api/') &&
      network.check(text(record, 'ip')) &&
      !['root', 'admin'].includes(text(record, 'user')),
  },
];
