import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Entry } from '#audit/entry.ts';
import { treeHash } from '#test/support/audit.ts';
import { entryHash, type Frontier, GENESIS, grow, merkleRoot } from './chain.ts';

const leaves = Array.from({ length: 200 }, (_, number) => hash('sha256', `entry ${number}`, 'hex'));

describe('The Merkle tree', () => {
  it('has the root of RFC 6962 at every size', () => {
    let frontier: Frontier = [];
    for (const [index, leaf] of leaves.entries()) {
      frontier = grow(frontier, leaf);
      expect(merkleRoot(frontier)).toBe(treeHash(leaves.slice(0, index + 1)));
    }
  });

  it('keeps one root per bit of its size, and leaves the tree it grew from as it was', () => {
    const six = leaves.slice(0, 6).reduce<Frontier>(grow, []);
    expect(six.map((root) => root !== '')).toEqual([false, true, true]);
    const before = [...six];
    grow(six, GENESIS);
    expect(six).toEqual(before);
  });

  it('goes on from a frontier that was written down', () => {
    const written = JSON.stringify(leaves.slice(0, 77).reduce<Frontier>(grow, []));
    const resumed = leaves.slice(77).reduce<Frontier>(grow, JSON.parse(written));
    expect(merkleRoot(resumed)).toBe(treeHash(leaves));
  });

  it('does not take a leaf for a node', () => {
    const [a = '', b = ''] = leaves;
    const node = merkleRoot([a, b].reduce<Frontier>(grow, []));
    expect(merkleRoot(grow([], node))).not.toBe(node);
  });
});

describe('The hash of an entry', () => {
  const entry: Entry = {
    id: 2,
    user_name: '김민수',
    remote_ip: '10.0.0.1',
    module: 'companies',
    method: 'create',
    params: { name: '안랩', description: 'x' },
    created_at: 1709251200000,
  };

  it('covers the hash before and the canonical JSON of the stored fields, without those that are absent', () => {
    const text =
      '{"created_at":1709251200000,"id":2,"method":"create","module":"companies",' +
      '"params":{"description":"x","name":"안랩"},"remote_ip":"10.0.0.1","user_name":"김민수"}';
    expect(entryHash(GENESIS, entry)).toBe(hash('sha256', '0'.repeat(64) + text, 'hex'));
  });

  it('does not depend on the order of fields, nor on what is no stored field', () => {
    const reversed = Object.fromEntries(Object.entries({ ...entry, hash: 'x' }).reverse()) as unknown as Entry;
    expect(entryHash(GENESIS, reversed)).toBe(entryHash(GENESIS, entry));
  });

  it('tells an empty text from an absent one, and a number from its digits', () => {
    const hashes = [{}, { error: '' }, { params: {} }, { params: { n: 1 } }, { params: { n: '1' } }].map((change) =>
      entryHash(GENESIS, { ...entry, ...change }),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
