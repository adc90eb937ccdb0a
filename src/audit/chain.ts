// The hash chain and the Merkle tree over it. Pure: the same functions seal entries and verify them.

import { hash } from 'node:crypto';
import { canonicalJson } from '#kernel/canonical-json.ts';
import type { Entry } from './entry.ts';

/** What the first entry takes as its predecessor's hash. */
export const GENESIS = '0'.repeat(64);

/** SHA-256 over the previous hash (64 hexadecimal digits) followed by the canonical JSON of the stored fields. */
export function entryHash(previous: string, entry: Entry): string {
  const { id, user_guid, user_name, company_guid, remote_ip, module, method, params, msg_params, error, created_at } =
    entry;
  // An optional field that is absent is no member of the text; the order of the rest is the canonical one.
  const stored = {
    ...(company_guid === undefined ? {} : { company_guid }),
    created_at,
    ...(error === undefined ? {} : { error }),
    id,
    method,
    module,
    ...(msg_params === undefined ? {} : { msg_params }),
    ...(params === undefined ? {} : { params }),
    remote_ip,
    ...(user_guid === undefined ? {} : { user_guid }),
    user_name,
  };
  return hash('sha256', previous + canonicalJson(stored), 'hex');
}

/** Roots of the perfect subtrees that make up a Merkle tree so far, largest first; empty string where there is none. */
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

// The prefixes keep a leaf from posing as a node.
const leafHash = (leaf: string) => hash('sha256', Buffer.from(`00${leaf}`, 'hex'), 'hex');
const nodeHash = (left: string, right: string) => hash('sha256', Buffer.from(`01${left}${right}`, 'hex'), 'hex');
