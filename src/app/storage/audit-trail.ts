// Wires what reads the audit trail: its search with the text index, and its verification in the background.

import type { Foundation } from '#app/foundation/foundation.ts';
import type { Instruments } from '#app/instruments.ts';
import { AuditSearch } from '#audit/search/search.ts';
import { openTextIndex } from '#audit/search/text-index.ts';
import { verifyInBackground } from '#audit/verify/background.ts';
import { publicKeyText } from '#kernel/public-key.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Config } from '#settings/index.ts';

interface TrailParts {
  readonly foundation: Pick<Foundation, 'store' | 'trail' | 'witness' | 'signingKey' | 'alarms'>;
  readonly clock: Clock;
}

const locationOf = (config: Config): string => config.database ?? config.data;

export function openAuditSearch(
  config: Config,
  { foundation: { store, trail }, clock }: TrailParts,
  { log }: Instruments,
) {
  const failed = (error: unknown) =>
    log.warn({ error: String(error) }, 'the text index of the audit trail could not be filled');
  const index = openTextIndex({ store, clock, location: locationOf(config), head: () => trail.head, failed });
  return { index, auditSearch: new AuditSearch(store, index) };
}

export function verifyTrail(config: Config, { foundation, clock }: TrailParts, instruments: Instruments) {
  for (const alarm of foundation.alarms) instruments.alarm(alarm);
  const { witness, signingKey } = foundation;
  return verifyInBackground(
    { location: locationOf(config), witness, publicKey: publicKeyText(signingKey) },
    {
      clock,
      alarm: (text) => instruments.alarm(text),
      failed: (error) => instruments.log.warn({ error: String(error) }, 'the verification of the audit trail failed'),
    },
  );
}
