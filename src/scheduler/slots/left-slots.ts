// Due slots that are left to other nodes: this one does not have the types that a job asks for, or was not there yet. Nodes that
// may claim them have until their time is up; then they are looked at again, and as long as one of those nodes lives.

import type { LeaseTimes } from '#cluster/members/lease-times.ts';
import { queueMissed } from '#scheduler/attempts/backfill-queue.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import type { CatchUp } from '#scheduler/settings.ts';
import type { Store } from '#store/store.ts';
import { type Claimant, type Claimed, claimDue, type DueSlot, recordedOf } from './claims.ts';
import type { JobKey } from './slot.ts';

interface LeftSlotsDeps {
  readonly store: Store;
  readonly claimant: Claimant;
  readonly catchUp: CatchUp;
  readonly leaseTimes: LeaseTimes;
  /** After this long a slot of the time before this process was missed. */
  readonly graceMs: number;
}

interface LeftSlot {
  readonly kind: JobKind;
  readonly slot: DueSlot;
  /** When it is looked at again. */
  readonly lookAt: number;
}

export class LeftSlots {
  readonly #deps: LeftSlotsDeps;
  #slots: LeftSlot[] = [];

  constructor(deps: LeftSlotsDeps) {
    this.#deps = deps;
  }

  add(kind: JobKind, slots: readonly DueSlot[]): void {
    const { leaseTimes, graceMs } = this.#deps;
    for (const slot of slots) {
      this.#slots.push({ kind, slot, lookAt: slot.at + (slot.isEarlier ? graceMs : leaseTimes.leaseMs) });
    }
  }

  /** Those of a job, oldest first. */
  of(kind: JobKind, guid: string): DueSlot[] {
    const slots = this.#slots.filter((one) => one.kind === kind && one.slot.guid === guid).map(({ slot }) => slot);
    return slots.sort((one, other) => one.at - other.at);
  }

  /** When one is to be looked at next. */
  nextMoment(): number | undefined {
    return this.#least(({ lookAt }) => lookAt);
  }

  /** The time up to which every slot has its row. */
  coveredTo(now: number): number {
    return Math.min(now, (this.#least(({ slot }) => slot.at) ?? Number.POSITIVE_INFINITY) - 1);
  }

  /** Decides on those whose time is up. */
  async settle(now: number): Promise<{ readonly claimed: Claimed[]; readonly late: JobKey[] }> {
    const due = this.#slots.filter(({ lookAt }) => lookAt <= now);
    const claimed: Claimed[] = [];
    const late: JobKey[] = [];
    for (const [kind, some] of Map.groupBy(due, (one) => one.kind)) {
      const slots = some.map(({ slot }) => ({ ...slot, isGivenUp: true, isMissed: slot.isEarlier === true }));
      const found = await this.#deps.store.write(async (db) => {
        const recorded = await recordedOf(db, kind.name, slots);
        const open = slots.filter((slot) => !recorded.has(`${slot.guid} ${slot.at}`));
        const made = await claimDue(db, kind, open, this.#deps.claimant);
        const queued: JobKey[] = [];
        for (const { guid, at } of open.filter(({ isEarlier }) => isEarlier)) {
          const job = { kind: kind.name, guid };
          if (kind.isContinuous || (await queueMissed(db, job, at, this.#deps.catchUp))) queued.push(job);
        }
        return { made, queued };
      });
      claimed.push(found.made);
      late.push(...found.queued);
      const again = now + this.#deps.leaseTimes.renewalMs;
      const left = found.made.left.map((slot) => ({ kind, slot, lookAt: again }));
      this.#slots = [...this.#slots.filter((one) => !some.includes(one)), ...left];
    }
    return { claimed, late };
  }

  #least(of: (slot: LeftSlot) => number): number | undefined {
    return this.#slots.length === 0 ? undefined : Math.min(...this.#slots.map(of));
  }
}
