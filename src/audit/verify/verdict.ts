// Findings of verification as codes; the command line translates them.

import type { SealedEntry } from '#audit/entry.ts';
import type { Gap } from './coverage.ts';

/** Every reason why a log is not proven, with the kind of tampering it shows. */
const REASONS = {
  /** The hash does not follow from the fields and the hash before. */
  altered: 'edited',
  /** The fields are equal, but not the stored text. */
  rewritten: 'edited',
  unreadable: 'edited',
  /** The export names another predecessor than the line before. */
  'other-predecessor': 'edited',
  gap: 'missing',
  'begins-late': 'missing',
  /** The entry is still there, under another id. */
  moved: 'reordered',
  'out-of-order': 'reordered',
  'cut-off': 'tail-cut',
  emptied: 'tail-cut',
  /** Cut off, and replaced by others: the witness names both. */
  'cut-and-replaced': 'tail-cut',
  'not-as-witnessed': 'recomputed',
  'not-as-signed': 'recomputed',
  'checkpoint-signature': 'bad-checkpoint',
  'checkpoint-hash': 'bad-checkpoint',
  'checkpoint-root': 'bad-checkpoint',
  /** The unsigned frontier, on which the next checkpoint would be based. */
  'checkpoint-frontier': 'bad-checkpoint',
  'checkpoint-removed': 'bad-checkpoint',
  'checkpoint-replaced': 'bad-checkpoint',
  'checkpoint-misplaced': 'bad-checkpoint',
  /** No checkpoint of the new key covers the entry that renews it. */
  'renewal-unsigned': 'bad-checkpoint',
  'witness-unreadable': 'witness-damaged',
  'no-witness': 'unwitnessed',
  'witness-begins-late': 'unwitnessed',
  'nothing-signed': 'unwitnessed',
  /** Nothing from before a renewal of the audit key confirms these entries; all others are proven. */
  'before-renewal': 'unwitnessed',
} as const;

export type Reason = keyof typeof REASONS;
export type Kind = (typeof REASONS)[Reason];

export interface Finding {
  readonly ok: false;
  readonly kind: Kind;
  readonly reason: Reason;
  readonly firstBadId: number;
  /** If the evidence is not exact: the first bad entry is one from `firstBadId` to this one. */
  readonly lastBadId?: number;
  /** The first bad entry as it is now, if it exists. */
  readonly entry?: SealedEntry;
  /** The last good entry, if the bad one is missing. */
  readonly before?: SealedEntry;
  /** All entries of the finding, if they are not consecutive. */
  readonly gaps?: readonly Gap[];
  /** Numbers and names of the reason's text. */
  readonly values: Readonly<Record<string, string>>;
}

export interface Proven {
  readonly ok: true;
  readonly entries: number;
  readonly checkpoints: number;
  /** Absent when the log is empty. */
  readonly first?: SealedEntry;
  readonly head?: SealedEntry;
  readonly remarks: readonly Remark[];
}

/** Observations that contradict nothing. */
export type Remark =
  /** Entries that no line of the witness names: committed just before a crash, or by another node, or forged then. */
  | { readonly remark: 'unwitnessed'; readonly count: number; readonly from: number; readonly to: number }
  /** Entries after the last signed checkpoint, when there is no witness. */
  | { readonly remark: 'unsigned'; readonly from: number; readonly to: number }
  /** The audit key was renewed with this entry; `key` is the fingerprint of the old one. */
  | { readonly remark: 'renewed'; readonly id: number; readonly key: string }
  /**
   * The witness was lost: entries written after `last` and removed before the renewal with entry `id` leave no trace.
   */
  | { readonly remark: 'end-unwitnessed'; readonly id: number; readonly last: number }
  /** A node has joined with this entry, and no checkpoint of an older key covers it: its own ones prove nothing yet. */
  | { readonly remark: 'key-unconfirmed'; readonly id: number; readonly node: string; readonly key: string }
  /** The log continues after this export. */
  | { readonly remark: 'goes-on'; readonly to: number }
  /** Labels beside the stored fields differ from those of this version. */
  | { readonly remark: 'other-texts'; readonly count: number; readonly from: number };

export type Verdict = Proven | Finding;

export function finding(
  reason: Reason,
  firstBadId: number,
  more: Partial<Pick<Finding, 'lastBadId' | 'entry' | 'before' | 'gaps' | 'values'>> = {},
): Finding {
  return { ok: false, kind: REASONS[reason], reason, firstBadId, values: {}, ...more };
}
