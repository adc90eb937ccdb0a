// Slots of schedules on their way from the agenda into the ledger: what is due, what of it comes too late, and what is caught
// up with when a job is through with what it missed.

import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { Agenda, Entry } from './agenda.ts';
import { queueMissed } from './catching-up.ts';
import { type Claimant, type Claimed, claimDue, type DueSlot, NOTHING_CLAIMED } from './claims.ts';
import type { JobKind } from './job-kind.ts';
import type { CatchUp } from './settings.ts';
import type { JobKey } from './slot.ts';

/** A slot that is written down later than this was missed: the process had been asleep, or the clock has jumped. */
const GRACE_MS = 60_000;
/** A unit holds up everything else while it is written. */
const SLOTS_PER_UNIT = 200;

interface DueParts {
  readonly store: Store;
  readonly agenda: Agenda;
  readonly kinds: ReadonlyMap<string, JobKind>;
  readonly claimant: Claimant;
  readonly catchUp: CatchUp;
  /** What fell due before was missed. */
  readonly openedAt: number;
}

export interface WrittenDown {
  readonly claimed: readonly Claimed[];
  /** Jobs that have slots to catch up with. */
  readonly late: readonly JobKey[];
}

/** What is to be written for a job. */
interface Step {
  readonly entry: Entry;
  readonly slots: readonly DueSlot[];
  readonly missedSince: number | undefined;
  /** Nothing more is due. */
  readonly isThrough: boolean;
}

export class DueSlots {
  readonly #parts: DueParts;

  constructor(parts: DueParts) {
    this.#parts = parts;
  }

  /** Writes down what is due by `now`, as one unit, and moves the agenda on. */
  async write(entries: readonly Entry[], now: number): Promise<WrittenDown> {
    const { store, agenda } = this.#parts;
    const slotsPerJob = Math.max(1, Math.floor(SLOTS_PER_UNIT / entries.length));
    const steps = entries.map((entry) => this.#stepOf(entry, now, slotsPerJob));
    const written = await store.write(async (db) => ({
      claimed: await this.#claim(db, steps),
      late: await this.#catchUp(db, steps),
    }));
    for (const { entry, slots, missedSince, isThrough } of steps) {
      const through = slots.at(-1)?.at ?? (entry.next === undefined ? now : entry.next - 1);
      agenda.advance(entry, through, isThrough ? undefined : missedSince);
    }
    return written;
  }

  /** Inside the unit that changes a job: writes down what has fallen due by the schedule that it had so far. */
  async claimOwed(db: Db, kind: JobKind, guid: string, now: number): Promise<Claimed> {
    const entry = this.#parts.agenda.find({ kind: kind.name, guid });
    const due = entry ? this.#dueOf(entry, now, SLOTS_PER_UNIT) : [];
    return due.length === 0 ? NOTHING_CLAIMED : await claimDue(db, kind, due, this.#parts.claimant);
  }

  #stepOf(entry: Entry, now: number, most: number): Step {
    const slots = this.#dueOf(entry, now, most);
    const missedSince = entry.missedSince ?? slots.find(({ isMissed }) => isMissed)?.at;
    const next = slots.length < most ? undefined : this.#parts.agenda.nextOf(entry.cron, slots.at(-1)?.at ?? now);
    return { entry, slots, missedSince, isThrough: next === undefined || next > now };
  }

  #dueOf({ cron, guid, since, next }: Entry, now: number, most: number): DueSlot[] {
    if (next === undefined) return [];
    const { agenda, openedAt } = this.#parts;
    return agenda
      .between(cron, next - 1, now, most)
      .map((at) => ({ guid, at, since, isMissed: at < openedAt || now - at > GRACE_MS }));
  }

  async #claim(db: Db, steps: readonly Step[]): Promise<Claimed[]> {
    const claimed: Claimed[] = [];
    for (const [name, ofKind] of Map.groupBy(steps, ({ entry }) => entry.kind)) {
      const kind = this.#parts.kinds.get(name);
      const due = ofKind.flatMap(({ slots }) => slots);
      if (kind && due.length > 0) claimed.push(await claimDue(db, kind, due, this.#parts.claimant));
    }
    return claimed;
  }

  async #catchUp(db: Db, steps: readonly Step[]): Promise<JobKey[]> {
    const late: JobKey[] = [];
    for (const { entry, missedSince, isThrough } of steps) {
      if (missedSince === undefined || !isThrough) continue;
      if (await queueMissed(db, entry, missedSince, this.#parts.catchUp)) late.push(entry);
    }
    return late;
  }
}
