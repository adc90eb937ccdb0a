// The hash chain and the Merkle tree over it. Pure: the same functions seal entries and verify them.

import { hash } from 'node:crypto';
import type { Entry } from '#audit/entry.ts';
import { canonicalJson } from '#kernel/json/canonical-json.ts';

/** The previous hash of the first entry. */
export const GENESIS = '0'.repeat(64);

/** SHA-256 over the previous hash (64 hexadecimal digits) followed by the canonical JSON of the stored fields. */
export const entryHash = (previous: string, entry: Entry): string =>
  hash('sha256', previous + storedText(entry), 'hex');

/**
 * The canonical JSON of the stored fields, written member by member in sorted order: sorting known keys would take half
 * of the time. An absent optional field is not a member.
 */
function storedText(entry: Entry): string {
  const { company_guid, error, msg_params, params, user_guid } = entry;
  const members = [
    company_guid === undefined ? '' : `"company_guid":${JSON.stringify(company_guid)},`,
    `"created_at":${entry.created_at},`,
    error === undefined ? '' : `"error":${JSON.stringify(error)},`,
    `"id":${entry.id},`,
    `"method":${JSON.stringify(entry.method)},`,
    `"module":${JSON.stringify(entry.module)},`,
    msg_params === undefined ? '' : `"msg_params":${canonicalJson(msg_params)},`,
    params === undefined ? '' : `"params":${canonicalJson(params)},`,
    `"remote_ip":${JSON.stringify(entry.remote_ip)},`,
    user_guid === undefined ? '' : `"user_guid":${JSON.stringify(user_guid)},`,
    `"user_name":${JSON.stringify(entry.user_name)}`,
  ];
  return `{${members.join('')}}`;
}

/** Roots of the perfect subtrees of a Merkle tree, by level; an empty string where there is none. */
export type Frontier = readonly string[];

/** Adds one entry hash. `frontier[level]` is the root of a perfect subtree of 2^level leaves, or empty. */
export function grow(frontier: Frontier, leaf: string): Frontier {
  const grown = [...frontier];
  let carried = leafHash(leaf);
  for (let level = 0; ; level += 1) {
    const waiting = grown[level];
    if (!waiting) {
      grown[level] = carried;
      return grown;
    }
    grown[level] = '';
    carried = nodeHash(waiting, carried);
  }
}

/** The root of the tree, after RFC 6962: smaller subtrees are joined on the right. */
export function merkleRoot(frontier: Frontier): string {
  let root = '';
  for (const subtree of frontier) {
    if (subtree) root = root ? nodeHash(subtree, root) : subtree;
  }
  return root;
}

/** True if a tree of `leaves` leaves can have this frontier: a subtree for each bit of the number. */
export function fits(frontier: unknown, leaves: number): frontier is Frontier {
  if (!Array.isArray(frontier) || frontier.length !== leaves.toString(2).length) return false;
  const bits = [...leaves.toString(2)].reverse();
  return frontier.every((root, level) => (bits[level] === '1' ? /^[0-9a-f]{64}$/.test(String(root)) : root === ''));
}

// The prefixes keep a leaf from being taken for a node.
const leafHash = (leaf: string) => hash('sha256', Buffer.from(`00${leaf}`, 'hex'), 'hex');
const nodeHash = (left: string, right: string) => hash('sha256', Buffer.from(`01${left}${right}`, 'hex'), 'hex');
