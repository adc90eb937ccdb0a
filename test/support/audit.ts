// Reading the audit trail in tests, and an implementation of its proof that shares nothing with the service's.

import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect } from 'vitest';
import type { Service, Wire } from './service.ts';

export type WireEntry = Wire;
type Caller = Pick<Service, 'call'>;

/** The newest entries first, by default all. */
export async function auditLogs(service: Caller, query = ''): Promise<WireEntry[]> {
  const { json } = await service.call('GET', `/api/core/audit-logs?limit=100000&${query}`);
  return json.audit_logs;
}

/** Most acts leave one entry or two, and each that is listed is labelled, sent and validated. */
const FEW_ENTRIES = 5;

/** The entries that `act` left, oldest first. */
export async function entriesOf(service: Caller, act: () => Promise<unknown>): Promise<WireEntry[]> {
  const newest = async (limit: number) =>
    (await service.call('GET', `/api/core/audit-logs?locale=en&limit=${limit}`)).json;
  const { total: before } = await newest(0);
  await act();
  const few = await newest(FEW_ENTRIES);
  const left = few.total - before;
  const { audit_logs } = left > FEW_ENTRIES ? await newest(left) : few;
  return audit_logs.slice(0, left).reverse();
}

export async function exportedEntries(service: Caller, query = ''): Promise<WireEntry[]> {
  const { text } = await service.call('GET', `/api/core/audit-logs/export?${query}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export const GENESIS = '0000000000000000000000000000000000000000000000000000000000000000';

const STORED_FIELDS = [
  'id',
  'user_guid',
  'user_name',
  'company_guid',
  'remote_ip',
  'module',
  'method',
  'params',
  'msg_params',
  'error',
  'created_at',
];

/** The hash of an exported entry, from its own fields and `previous` alone. */
export function chainHash(previous: string, entry: WireEntry): string {
  const stored = Object.fromEntries(STORED_FIELDS.filter((name) => name in entry).map((name) => [name, entry[name]]));
  return createHash('sha256')
    .update(previous + sortedJson(stored))
    .digest('hex');
}

/** The hashes of a whole export, recomputed from the first entry on. */
export function chainHashes(entries: readonly WireEntry[]): string[] {
  let previous = GENESIS;
  return entries.map((entry) => {
    previous = chainHash(previous, entry);
    return previous;
  });
}

/** The Merkle tree hash of RFC 6962, section 2.1, over the bytes of the entry hashes. */
export function treeHash(hashes: readonly string[]): string {
  if (hashes.length === 1) return sha256(Buffer.from([0]), Buffer.from(hashes[0] ?? '', 'hex'));
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  const left = treeHash(hashes.slice(0, split));
  const right = treeHash(hashes.slice(split));
  return sha256(Buffer.from([1]), Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
}

/** The entries from the first on, without a gap, each hash made of the one before. */
export function expectChained(entries: readonly WireEntry[]): void {
  const hashes = chainHashes(entries);
  expect(entries.map(({ hash }) => hash)).toEqual(hashes);
  expect(entries.map(({ prev_hash }) => prev_hash)).toEqual([GENESIS, ...hashes.slice(0, -1)]);
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => index + 1));
}

/** Every checkpoint against the hashes of an export that reaches at least as far. */
export function expectSigned(proof: WireEntry, hashes: readonly string[]): void {
  const key = createPublicKey({ key: Buffer.from(proof.public_key, 'base64'), format: 'der', type: 'spki' });
  for (const { signature, node, ...content } of proof.checkpoints) {
    expect(node).toBe(proof.public_keys[0].node);
    expect(Object.keys(content).sort()).toEqual(['created_at', 'hash', 'id', 'root']);
    expect(content.hash).toBe(hashes[content.id - 1]);
    expect(content.root).toBe(treeHash(hashes.slice(0, content.id)));
    const signed = Buffer.from(sortedJson(content));
    expect(verify(null, signed, key, Buffer.from(signature, 'base64'))).toBe(true);
    const forged = Buffer.from(sortedJson({ ...content, id: content.id + 1 }));
    expect(verify(null, forged, key, Buffer.from(signature, 'base64'))).toBe(false);
  }
}

/** JSON with sorted keys and without blanks. */
export function sortedJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${sortedJson(inner)}`).join(',')}}`;
}

function sha256(...parts: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
