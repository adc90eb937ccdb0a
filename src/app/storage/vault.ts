// The vault of the service: tells of a master secret that is missing or wrong, and seals what earlier versions kept in clear.

import type { Instruments } from '#app/instruments.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import { sealClearUrls } from '#vault/sealed/webhook-urls.ts';
import { Vault } from '#vault/vault.ts';

export async function openVault(config: Config, { store }: { readonly store: Store }, instruments: Instruments) {
  const { vault, trouble: unusableSecret } = await Vault.open(store, config);
  if (unusableSecret) instruments.unusableSecret(unusableSecret);
  const clearUrls = await sealClearUrls(store, vault);
  if (clearUrls > 0) instruments.clearUrls(clearUrls);
  return { vault, unusableSecret };
}
