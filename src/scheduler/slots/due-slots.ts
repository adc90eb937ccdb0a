// Records due slots of schedules: claims those in time, marks late ones as missed, and queues missed slots for backfill once
// a job has no further due slots. Slots that are left to other nodes are looked at again until they have a row.

import type { LeaseTimes } from '#cluster/members/lease-times.ts';
import { queueMissed } from '#scheduler/attempts/backfill-queue.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import type { ScheduleEntry, ScheduleIndex } from '#scheduler/schedule-index.ts';
import type { CatchUp } from '#scheduler/settings.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import {
  type Claimant,
  type Claimed,
  type ClaimedDue,
  claimDue,
  claimOwed,
  type DueSlot,
  NOTHING_CLAIMED,
} from './claims.ts';
import { LeftSlots } from './left-slots.ts';
import type { JobKey } from './slot.ts';

/** A slot recorded later than this was missed: the process was suspended, or the clock has jumped. */
const GRACE_MS = 60_000;
/** Units are serialized: a large unit blocks all other writes. */
const SLOTS_PER_UNIT = 200;

interface DueSlotsDeps {
  readonly store: Store;
  readonly schedules: ScheduleIndex;
  readonly kinds: ReadonlyMap<string, JobKind>;
  readonly claimant: Claimant;
  readonly catchUp: CatchUp;
  /** Slots due before were missed, unless another node was there. */
  readonly openedAt: number;
  readonly leaseTimes: LeaseTimes;
}

export interface WrittenSlots {
  readonly claimed: readonly Claimed[];
  /** Jobs with slots queued for backfill. */
  readonly late: readonly JobKey[];
}

/** The due slots of a job. */
interface JobSlots {
  readonly entry: ScheduleEntry;
  readonly slots: readonly DueSlot[];
  readonly missedSince: number | undefined;
  /** Whether no further slot is due. */
  readonly isCaughtUp: boolean;
}

type ClaimedOfKind = ClaimedDue & { readonly kind: JobKind };

export class DueSlots {
  readonly #deps: DueSlotsDeps;
  /** Without a row: other nodes may claim them. */
  readonly left: LeftSlots;

  constructor(deps: DueSlotsDeps) {
    this.#deps = deps;
    this.left = new LeftSlots({ ...deps, graceMs: GRACE_MS });
  }

  /** Records slots due by `now` in one unit, and advances the entries. */
  async write(entries: readonly ScheduleEntry[], now: number): Promise<WrittenSlots> {
    const { store, schedules } = this.#deps;
    const slotsPerJob = Math.max(1, Math.floor(SLOTS_PER_UNIT / entries.length));
    const steps = entries.map((entry) => this.#slotsOf(entry, now, slotsPerJob));
    const written = await store.write(async (db) => ({
      claimed: await this.#claim(db, steps),
      late: await this.#queueMissed(db, steps),
    }));
    for (const { kind, left } of written.claimed) this.left.add(kind, left);
    for (const { entry, slots, missedSince, isCaughtUp } of steps) {
      const through = slots.at(-1)?.at ?? (entry.next === undefined ? now : entry.next - 1);
      schedules.advance(entry, through, isCaughtUp ? undefined : missedSince);
    }
    return written;
  }

  /**
   * Called inside the unit that changes a job: records the slots that are due by its former schedule. Also those that were left
   * to other nodes, which after the change would no longer find them due.
   */
  async claimOverdue(db: Db, kind: JobKind, guid: string, now: number): Promise<Claimed> {
    const entry = this.#deps.schedules.find({ kind: kind.name, guid });
    const due = [...this.left.of(kind, guid), ...(entry ? this.#dueOf(entry, now, SLOTS_PER_UNIT) : [])];
    return due.length === 0 ? NOTHING_CLAIMED : await claimOwed(db, kind, due, this.#deps.claimant);
  }

  #slotsOf(entry: ScheduleEntry, now: number, most: number): JobSlots {
    const slots = this.#dueOf(entry, now, most);
    const missedSince = entry.missedSince ?? slots.find(({ isMissed, isEarlier }) => isMissed || isEarlier)?.at;
    const next = slots.length < most ? undefined : this.#deps.schedules.nextOf(entry.cron, slots.at(-1)?.at ?? now);
    return { entry, slots, missedSince, isCaughtUp: next === undefined || next > now };
  }

  #dueOf({ cron, guid, since, next }: ScheduleEntry, now: number, most: number): DueSlot[] {
    if (next === undefined) return [];
    const { schedules, openedAt } = this.#deps;
    return schedules
      .between(cron, next - 1, now, most)
      .map((at) => ({ guid, at, since, isMissed: now - at > GRACE_MS, isEarlier: at < openedAt }));
  }

  async #claim(db: Db, steps: readonly JobSlots[]): Promise<ClaimedOfKind[]> {
    const claimed: ClaimedOfKind[] = [];
    for (const [name, ofKind] of Map.groupBy(steps, ({ entry }) => entry.kind)) {
      const kind = this.#deps.kinds.get(name);
      const due = ofKind.flatMap(({ slots }) => slots);
      if (kind && due.length > 0) claimed.push({ kind, ...(await claimDue(db, kind, due, this.#deps.claimant)) });
    }
    return claimed;
  }

  async #queueMissed(db: Db, steps: readonly JobSlots[]): Promise<JobKey[]> {
    const late: JobKey[] = [];
    for (const { entry, missedSince, isCaughtUp } of steps) {
      if (missedSince === undefined || !isCaughtUp) continue;
      // Those of a continuous job are in its line already.
      if (this.#deps.kinds.get(entry.kind)?.isContinuous) late.push(entry);
      else if (await queueMissed(db, entry, missedSince, this.#deps.catchUp)) late.push(entry);
    }
    return late;
  }
}
