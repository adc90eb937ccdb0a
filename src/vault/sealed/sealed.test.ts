import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '#store/store.ts';
import { makeMasterSecret, masterSecretFile } from '#vault/master-secret.ts';
import { Vault } from '#vault/vault.ts';

describe('What is sealed by the vault', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-sealed-'));
  const keys = join(folder, 'keys');
  let store: Store;
  let vault: Vault;

  beforeAll(async () => {
    store = await openStore(join(folder, 'data'), { groupCommitted() {}, storeFailed() {} });
    vault = (await Vault.open(store, { keys })).vault;
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('opens under its label alone, and under the secret that it was sealed by', () => {
    const box = vault.sealed(Buffer.from('비밀'), 'here', []);
    expect(vault.unsealed({ box, label: 'here' })?.toString()).toBe('비밀');
    expect(vault.unsealed({ box, label: 'there' })).toBeUndefined();
    rmSync(masterSecretFile({ keys }));
    expect(vault.unsealed({ box, label: 'here' })).toBeUndefined();
    expect(() => vault.sealed(Buffer.from('x'), 'other', [{ box, label: 'here' }])).toThrow('master secret is missing');
    makeMasterSecret(masterSecretFile({ keys }));
    expect(vault.unsealed({ box, label: 'here' })).toBeUndefined();
    expect(() => vault.sealed(Buffer.from('x'), 'other', [{ box, label: 'here' }])).toThrow('master secret is wrong');
  });
});
