// Checkpoints of the audit trail, checked by the browser itself.

import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signCheckpoint } from '#audit/chain/checkpoint.ts';
import { fingerprintOf as fingerprintOfService, publicKeyText } from '#kernel/public-key.ts';
import { keyFor } from './audit-keys.ts';
import { fingerprintOf, hasValidSignature } from './signatures.ts';

afterEach(() => void vi.unstubAllGlobals());

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const signed = {
  ...signCheckpoint({ id: 5, created_at: 1_763_200_000_000, hash: 'aa', root: 'bb' }, privateKey),
  node: null,
};

describe('A checkpoint', () => {
  it('is valid where its signature fits the key, in base64 or as PEM', async () => {
    expect(await hasValidSignature(signed, publicKeyText(publicKey))).toBe(true);
    expect(await hasValidSignature(signed, publicKey.export({ type: 'spki', format: 'pem' }).toString())).toBe(true);
  });

  it.each([
    ['another number', { id: 6 }],
    ['another time', { created_at: 1 }],
    ['another hash', { hash: 'ab' }],
    ['another root', { root: 'ab' }],
  ])('with %s is not', async (_, change) => {
    expect(await hasValidSignature({ ...signed, ...change }, publicKeyText(publicKey))).toBe(false);
  });

  it('is not valid by another key, and unknown by what is no key', async () => {
    expect(await hasValidSignature(signed, publicKeyText(other.publicKey))).toBe(false);
    expect(await hasValidSignature(signed, 'AAAA')).toBeUndefined();
  });

  it('is neither valid nor invalid in a browser that cannot tell', async () => {
    vi.stubGlobal('crypto', {});
    expect(await hasValidSignature(signed, publicKeyText(publicKey))).toBeUndefined();
    expect(await fingerprintOf(publicKeyText(publicKey))).toBeUndefined();
  });
});

it('The fingerprint of a key is that of the command line', async () => {
  const text = publicKeyText(publicKey);
  expect(await fingerprintOf(text)).toBe(fingerprintOfService(text));
});

describe('The key of a checkpoint', () => {
  const keys = [
    { from_id: 1, node: 'a', public_key: 'first of a' },
    { from_id: 1, node: 'b', public_key: 'first of b' },
    { from_id: 10, node: 'a', public_key: 'second of a' },
  ] as Parameters<typeof keyFor>[1];

  it.each([
    [5, 'a', 'first of a'],
    [10, 'a', 'second of a'],
    [10, 'b', 'first of b'],
    [10, null, 'second of a'],
    [0, 'a', undefined],
    [10, 'c', undefined],
  ])('number %d of node %s is the %s', (id, node, key) => {
    expect(keyFor({ ...signed, id, node }, keys)).toBe(key);
  });
});
