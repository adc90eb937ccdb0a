// Any single change to any field of any entry is found, at that entry. Chains are made in memory, so that there can be
// many of them.

import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryHash, type Frontier, GENESIS, grow, merkleRoot } from '#audit/chain/chain.ts';
import { signCheckpoint } from '#audit/chain/checkpoint.ts';
import { KeyHistory } from '#audit/chain/renewals.ts';
import { type Draft, ENTRY_COLUMNS, entryRow, type SealedEntry } from '#audit/entry.ts';
import type { Claim } from './claims.ts';
import { COLUMNS, loggedRow } from './evidence.ts';
import type { Verdict } from './verdict.ts';
import { verifyLog } from './verify.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

type Row = Readonly<Record<string, string | number | null>>;

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const params = fc.option(fc.dictionary(text, fc.jsonValue({ maxDepth: 2 })), { nil: undefined });
const optionalText = fc.option(text, { nil: undefined });

const draft = fc.record(
  {
    user_guid: optionalText,
    user_name: text,
    company_guid: optionalText,
    remote_ip: text,
    module: text,
    method: text,
    params,
    msg_params: params,
    error: optionalText,
  },
  { requiredKeys: ['user_name', 'remote_ip', 'module', 'method'] },
);
const chain = fc.array(draft, { minLength: 1, maxLength: 12 }).map((drafts) => sealed(drafts.map(withoutAbsent)));
const at = fc.nat(11);

describe('A chain of entries', () => {
  it('is proven as it was written, whatever its entries say', async () => {
    await fc.assert(
      fc.asyncProperty(chain, async (entries) => {
        const verdict = await verdictOn(entries.map(rowOf), entries);
        expect(verdict).toMatchObject({ ok: true, entries: entries.length, checkpoints: 1, remarks: [] });
      }),
    );
  });

  it('names the entry of which a single value was changed', async () => {
    const column = fc.constantFrom(...ENTRY_COLUMNS.filter((name) => name !== 'id'));
    const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.constant('{}'), fc.json());
    await fc.assert(
      fc.asyncProperty(chain, at, column, value, async (entries, index, name, changed) => {
        const rows = entries.map(rowOf);
        const victim = index % rows.length;
        fc.pre(rows[victim]?.[name] !== changed);
        const tampered = rows.map((row, each) => (each === victim ? { ...row, [name]: changed } : row));
        expect(await verdictOn(tampered, entries)).toMatchObject({ kind: 'edited', firstBadId: victim + 1 });
      }),
      { numRuns: 300 },
    );
  });

  it('names the entry that was changed also when all hashes were made anew', async () => {
    await fc.assert(
      fc.asyncProperty(chain, at, text, async (entries, index, name) => {
        const victim = index % entries.length;
        fc.pre(entries[victim]?.user_name !== name);
        const changed = entries.map((entry, each) => (each === victim ? { ...entry, user_name: name } : entry));
        const rows = sealed(changed).map(rowOf);
        expect(await verdictOn(rows, entries)).toMatchObject({ kind: 'recomputed', firstBadId: victim + 1 });
      }),
    );
  });

  it('names the entry that was taken out, and the first of two that changed places', async () => {
    await fc.assert(
      fc.asyncProperty(chain, at, at, async (entries, one, other) => {
        const [a, b] = [one % entries.length, other % entries.length].sort((x, y) => x - y) as [number, number];
        const rows = entries.map(rowOf);
        const without = await verdictOn(rows.toSpliced(a, 1), entries);
        expect(without).toMatchObject({ kind: a === rows.length - 1 ? 'tail-cut' : 'missing', firstBadId: a + 1 });
        fc.pre(a !== b);
        const exchanged = rows.with(a, { ...rows[b], id: a + 1 }).with(b, { ...rows[a], id: b + 1 });
        expect(await verdictOn(exchanged, entries)).toMatchObject({ kind: 'reordered', firstBadId: a + 1 });
      }),
    );
  });
});

/** `original` is what the witness has seen, in one group, and what the checkpoint at its end was signed for. */
function verdictOn(rows: readonly Row[], original: readonly SealedEntry[]): Promise<Verdict> {
  const frontier = original.reduce<Frontier>((tree, { hash }) => grow(tree, hash), []);
  const head = original.at(-1);
  const content = { id: head?.id ?? 0, hash: head?.hash ?? '', root: merkleRoot(frontier), created_at: 1 };
  const checkpoint = signCheckpoint(content, privateKey);
  const claims: Claim[] = original.map(({ id, hash }) => ({ id, digits: hash.slice(0, 8), isWritten: true }));
  return verifyLog({
    entries: once(rows.map((row) => loggedRow(COLUMNS.map((column) => row[column])))),
    checkpoints: {
      stored: once({ ...checkpoint, frontier: JSON.stringify(frontier) }),
      areAll: true,
      keys: new KeyHistory(publicKey),
    },
    claims: [{ firstId: 1, claims: () => claims.values() }],
    knownId: original.length,
    newestId: original.length,
    needsWitness: true,
    corruption: undefined,
  });
}

async function* once<T>(item: T): AsyncGenerator<T> {
  yield item;
}

function sealed(drafts: readonly Draft[]): SealedEntry[] {
  let previous = GENESIS;
  return drafts.map((draft, index) => {
    const entry = { ...draft, id: index + 1, created_at: 1709251200000 + index };
    previous = entryHash(previous, entry);
    return { ...entry, hash: previous };
  });
}

function rowOf(entry: SealedEntry): Row {
  const values = entryRow(entry);
  return Object.fromEntries(ENTRY_COLUMNS.map((column, index) => [column, values[index] ?? null]));
}

/** As the trail makes them: what is absent is no member. */
function withoutAbsent(draft: object): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as unknown as Draft;
}
