// What events, tickets, alarms and addresses are raised from.

import type { Snapshot } from '#detection/rules/snapshot.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';
import type { Sealing } from '#vault/sealed/sealing.ts';
import type { KeyedMatches } from './matches.ts';

/** The version of the rule that produced the matches. */
export type RuleVersion = Pick<RuleRow, 'kind' | 'guid' | 'name' | 'version'> & { readonly content: Snapshot };

export interface RaiseInput {
  readonly rule: RuleVersion;
  readonly matches: KeyedMatches;
  readonly queryId: number | null;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Set where an encrypted table was read: events and tickets are stored sealed. */
  readonly sealing: Sealing | undefined;
}
