// Proves a whole log, or finds the first entry that is not as it was written. Entries, claims of the witness and
// checkpoints are walked together in the order of ids, so the first contradiction found is the first there is, and only
// the frontier of the tree is kept.

import { type Frontier, GENESIS, grow } from '#audit/chain/chain.ts';
import type { Checkpoint } from '#audit/chain/checkpoint.ts';
import type { KeyHistory } from '#audit/chain/renewals.ts';
import type { SealedEntry } from '#audit/entry.ts';
import { fingerprintOf } from '#kernel/public-key.ts';
import { CheckpointCheck, type Checkpoints } from './checkpoint-check.ts';
import { type Claim, ClaimCursor, type ClaimSource, type Corruption } from './claims.ts';
import { Coverage } from './coverage.ts';
import { type Finding, finding, type Proven, type Remark, type Verdict } from './verdict.ts';

export interface LoggedEntry {
  readonly id: number;
  readonly hash: string;
  /** The hash of the predecessor as an export names it. */
  readonly previous?: string;
  /** Data beside the stored fields contradicts them. */
  readonly isRewritten?: boolean;
  /** Labels beside the stored fields differ from those of this version. */
  readonly hasOtherTexts?: boolean;
  /** The expected hash after `previous` for the id `id`; undefined for an unreadable entry. */
  hashAfter(previous: string, id: number): string | undefined;
  entry(): SealedEntry | undefined;
}

interface Evidence {
  readonly entries: AsyncIterable<readonly LoggedEntry[]>;
  readonly checkpoints: Checkpoints;
  readonly claims: readonly ClaimSource[];
  /** The newest entry that must exist. */
  readonly knownId: number;
  /** The newest entry known to have been written, perhaps after the checked copy was taken. */
  readonly newestId: number;
  /** False without a witness: then signatures must suffice. */
  readonly needsWitness: boolean;
  readonly corruption: Corruption | undefined;
}

export async function verifyLog(evidence: Evidence): Promise<Verdict> {
  const walk = new Walk(evidence, await CheckpointCheck.over(evidence.checkpoints));
  let suspicion: Finding | undefined;
  for await (const page of evidence.entries) {
    for (const logged of page) {
      if (suspicion) {
        if (walk.isMoved(suspicion, logged)) return movedTo(logged, suspicion);
        continue;
      }
      suspicion = walk.step(logged) ?? (walk.isCheckpointDue ? await walk.checkCheckpoints() : undefined);
      if (suspicion && !MAY_BE_MOVED.has(suspicion.reason)) return suspicion;
    }
  }
  return suspicion ?? walk.end();
}

/** Findings that become a change of order when the right entry is found later. */
const MAY_BE_MOVED: ReadonlySet<string> = new Set(['altered', 'gap', 'begins-late']);

const movedTo = (logged: LoggedEntry, { firstBadId }: Finding) =>
  finding('moved', firstBadId, { ...entryAsStored(logged), values: { at: String(logged.id) } });

class Walk {
  readonly #evidence: Evidence;
  readonly #check: CheckpointCheck;
  readonly #cursor: ClaimCursor;
  readonly #coverage = new Coverage();
  #claims: readonly Claim[] = [];
  #hash = GENESIS;
  #frontier: Frontier = [];
  #first: LoggedEntry | undefined;
  #head: LoggedEntry | undefined;
  #badCheckpoint: Finding | undefined;
  #otherTexts = { count: 0, from: 0 };

  constructor(evidence: Evidence, check: CheckpointCheck) {
    this.#evidence = evidence;
    this.#check = check;
    this.#cursor = new ClaimCursor(evidence.claims);
  }

  get #keys(): KeyHistory {
    return this.#evidence.checkpoints.keys;
  }

  get #headId(): number {
    return this.#head?.id ?? 0;
  }

  /** Checks the next entry. */
  step(logged: LoggedEntry): Finding | undefined {
    const { id, previous } = logged;
    if (id !== this.#headId + 1) return this.#misplaced(logged);
    const hash = logged.hashAfter(this.#hash, id);
    if (hash === undefined) return finding('unreadable', id);
    if (hash !== logged.hash) return finding('altered', id, entryAsStored(logged));
    if (logged.isRewritten) return finding('rewritten', id, entryAsStored(logged));
    if (previous !== undefined && previous !== this.#hash)
      return finding('other-predecessor', id, entryAsStored(logged));
    this.#claims = this.#cursor.claimsFor(id);
    const contradiction = this.#contradiction(logged);
    if (contradiction) return contradiction;
    this.#accept(logged);
    return undefined;
  }

  get isCheckpointDue(): boolean {
    return this.#check.isDue(this.#headId) || this.#claims.some((claim) => 'checkpoint' in claim);
  }

  /** A bad checkpoint is reported last: a fault of an entry says more. */
  async checkCheckpoints(): Promise<Finding | undefined> {
    const id = this.#headId;
    const position = { id, hash: this.#hash, frontier: this.#frontier, confirmedId: this.#coverage.confirmedId };
    const witnessed = this.#claims.flatMap((claim): Checkpoint[] => ('checkpoint' in claim ? [claim.checkpoint] : []));
    const wrong = await this.#check.at(position, witnessed);
    if (this.#check.signedId === id) this.#noteSigned(id);
    if (wrong?.kind !== 'bad-checkpoint') return wrong;
    this.#badCheckpoint ??= wrong;
    return undefined;
  }

  #noteSigned(id: number): void {
    this.#coverage.noteSigned(id);
    if (this.#coverage.gaps.length === 0) return;
    for (const proof of this.#check.proofs) {
      const since = this.#keys.otherSince(proof);
      if (since !== undefined) this.#coverage.noteSignedElsewhere(since);
    }
  }

  /** True for the entry that belongs to the position of the suspect. */
  isMoved({ firstBadId, entry: suspect }: Finding, logged: LoggedEntry): boolean {
    const hash = logged.hashAfter(this.#hash, firstBadId);
    return hash !== undefined && (hash === logged.hash || hash === suspect?.hash);
  }

  /** Checks that need the end of the log. */
  end(): Verdict {
    const { knownId, corruption } = this.#evidence;
    const beyond = this.#check.beyond();
    const known = typeof beyond === 'number' ? Math.max(beyond, knownId) : knownId;
    if (known > this.#headId) return this.#cutOff(known);
    const bad = this.#badCheckpoint ?? (typeof beyond === 'object' ? beyond : undefined);
    if (bad) return bad;
    if (corruption) {
      const values = { file: corruption.file, line: String(corruption.line) };
      return finding('witness-unreadable', corruption.after + 1, { values });
    }
    return (this.#headId > 0 ? this.#unproven() : undefined) ?? this.#proven();
  }

  #cutOff(known: number): Finding {
    const more = { ...this.#before(), values: { known: String(known) } };
    return finding(this.#head ? 'cut-off' : 'emptied', this.#headId + 1, more);
  }

  #misplaced(logged: LoggedEntry): Finding {
    const expected = this.#headId + 1;
    if (logged.id < expected) return finding('out-of-order', logged.id, entryAsStored(logged));
    const more = { ...this.#before(), values: { next: String(logged.id) } };
    return finding(expected === 1 ? 'begins-late' : 'gap', expected, more);
  }

  #before(): { before?: SealedEntry } {
    const before = this.#head?.entry();
    return before ? { before } : {};
  }

  #contradiction(logged: LoggedEntry): Finding | undefined {
    const agrees = (claim: Claim) => !('digits' in claim) || logged.hash.startsWith(claim.digits);
    if (this.#claims.every(agrees)) return undefined;
    const isReplaced = this.#claims.some((claim) => 'digits' in claim && claim.isWritten && agrees(claim));
    const reason = isReplaced ? 'cut-and-replaced' : 'not-as-witnessed';
    const from = this.#coverage.confirmedId + 1;
    return finding(reason, from, from < logged.id ? { lastBadId: logged.id } : entryAsStored(logged));
  }

  #accept(logged: LoggedEntry): void {
    const { id, hash } = logged;
    if (this.#claims.some((claim) => 'digits' in claim)) this.#coverage.noteClaimed(id);
    const isWitnessed = this.#claims.some((claim) => 'digits' in claim && claim.isWritten);
    if (!isWitnessed && id >= this.#keys.witnessedFrom) this.#coverage.noteUnwitnessed(id);
    this.#noteCoverage(id, isWitnessed);
    if (logged.hasOtherTexts) this.#noteOtherTexts(id);
    this.#first ??= logged;
    this.#head = logged;
    this.#hash = hash;
    this.#frontier = grow(this.#frontier, hash);
  }

  /**
   * The present witness must name all entries from its beginning on; before that only evidence older than a renewal
   * counts.
   */
  #noteCoverage(id: number, isWitnessed: boolean): void {
    const { witnessedFrom, newestId } = this.#keys;
    const renewal = this.#keys.renewalAt(id);
    if (renewal) this.#coverage.noteRenewal(renewal.id, { isOfNode: renewal.node !== undefined });
    const from = this.#evidence.needsWitness ? witnessedFrom : newestId;
    if (id < from && !isWitnessed) this.#coverage.noteUnconfirmed(id);
    if (this.#claims.some((claim) => 'digits' in claim && claim.isDisclosed)) this.#coverage.noteDisclosed();
  }

  #noteOtherTexts(id: number): void {
    const { count, from } = this.#otherTexts;
    this.#otherTexts = { count: count + 1, from: from || id };
  }

  /** Nothing contradicts the log, but a part of it is unconfirmed. Gaps left by a renewal come last. */
  #unproven(): Finding | undefined {
    return this.#unwitnessed() ?? this.#beforeRenewal();
  }

  #beforeRenewal(): Finding | undefined {
    const { gaps } = this.#coverage;
    const [first] = gaps;
    if (!first) return undefined;
    const { from, to } = first;
    const values = {
      gaps: gaps.map((gap) => (gap.from === gap.to ? `${gap.from}` : `${gap.from}–${gap.to}`)).join(', '),
      renewals: [...new Set(gaps.map(({ renewal }) => renewal))].join(', '),
    };
    return finding('before-renewal', from, { ...(from < to ? { lastBadId: to } : {}), gaps, values });
  }

  #unwitnessed(): Finding | undefined {
    const head = this.#headId;
    const { newestId, witnessedFrom } = this.#keys;
    if (newestId > this.#check.signedId) return finding('renewal-unsigned', newestId);
    if (!this.#evidence.needsWitness) {
      return this.#check.count === 0 ? finding('nothing-signed', 1, { lastBadId: head }) : undefined;
    }
    const { firstClaimedId } = this.#coverage;
    if (firstClaimedId === undefined) return finding('no-witness', 1, { lastBadId: head });
    if (firstClaimedId <= witnessedFrom) return undefined;
    const values = { from: String(firstClaimedId) };
    return finding('witness-begins-late', 1, { lastBadId: firstClaimedId - 1, values });
  }

  #proven(): Proven {
    const first = this.#first?.entry();
    const head = this.#head?.entry();
    const ends = first && head ? { first, head } : {};
    return { ok: true, entries: this.#headId, checkpoints: this.#check.count, ...ends, remarks: this.#remarks() };
  }

  #remarks(): Remark[] {
    const { needsWitness, newestId } = this.#evidence;
    const head = this.#headId;
    const { signedId } = this.#check;
    const { unwitnessed } = this.#coverage;
    const remarks: Remark[] = this.#keys.renewals.flatMap((renewal): Remark[] => {
      const { id, oldKey, isWitnessLost } = renewal;
      const key = oldKey === undefined ? '-' : fingerprintOf(oldKey);
      const renewed: Remark = { remark: 'renewed', id, key };
      // Undefined for that of another node, whose witness is not this one.
      const begin = this.#keys.beginOf(renewal);
      return isWitnessLost && begin !== undefined
        ? [renewed, { remark: 'end-unwitnessed', id, last: begin - 1 }]
        : [renewed];
    });
    for (const { id, node, publicKey } of this.#keys.joined.unconfirmed) {
      remarks.push({ remark: 'key-unconfirmed', id, node, key: fingerprintOf(publicKey) });
    }
    if (needsWitness && unwitnessed.count > 0) remarks.push({ remark: 'unwitnessed', ...unwitnessed });
    if (!needsWitness && signedId < head) remarks.push({ remark: 'unsigned', from: signedId + 1, to: head });
    if (newestId > head) remarks.push({ remark: 'goes-on', to: newestId });
    if (this.#otherTexts.count > 0) remarks.push({ remark: 'other-texts', ...this.#otherTexts });
    return remarks;
  }
}

function entryAsStored(logged: LoggedEntry): { entry?: SealedEntry } {
  const entry = logged.entry();
  return entry ? { entry } : {};
}
