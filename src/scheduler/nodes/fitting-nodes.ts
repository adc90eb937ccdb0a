// The node of what is asked for by hand: the one that was asked where it has a type that the job asks for, else another one that
// lives and has it.

import { queuedJobs } from '#scheduler/attempts/recovery.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import { type Claimant, fits } from '#scheduler/slots/claims.ts';
import { runningJobs, takeQueued } from '#scheduler/slots/ledger.ts';
import { skipLine, takeFromLine } from '#scheduler/slots/line.ts';
import type { Holder, JobKey, OpenSlot } from '#scheduler/slots/slot.ts';
import type { Db } from '#store/kysely.ts';
import { peersOf } from './peers.ts';

/** Who runs each job; jobs that no living node may run, and jobs that do not exist, are not in it. */
export async function holdersOf(
  db: Db,
  kind: JobKind,
  guids: readonly string[],
  claimant: Claimant,
): Promise<ReadonlyMap<string, Holder>> {
  const jobs = [...(await kind.eligibility(db, guids))];
  const isForOthers = jobs.some(([, job]) => !fits(job, claimant));
  const nodes = [claimant, ...(isForOthers ? await peersOf(db, claimant) : [])];
  return new Map(
    jobs.flatMap(([guid, job]) => {
      const holder = nodes.find((node) => fits(job, node));
      return holder ? [[guid, holder] as const] : [];
    }),
  );
}

/**
 * The oldest queued slot of a job; those in line go before backfills. What this node may not run stays queued for one that may. `busy`: a slot of the job is claimed,
 * here or on another node. A second one would only wait, and nobody else could take it meanwhile.
 */
export async function takeFitting(
  db: Db,
  kind: JobKind,
  guid: string,
  claimant: Claimant,
): Promise<OpenSlot | 'busy' | undefined> {
  const job = (await kind.eligibility(db, [guid])).get(guid);
  if (job && !fits(job, claimant)) return undefined;
  if ((await runningJobs(db, kind.name, [guid])).has(guid)) return 'busy';
  if (kind.isContinuous && job && !job.isEnabled) await skipLine(db, { kind: kind.name, guid });
  const due = kind.isContinuous ? await takeFromLine(db, kind, guid, claimant) : undefined;
  return due ?? (await takeQueued(db, { kind: kind.name, guid }, claimant));
}

/** Idle jobs with queued slots that this node may run, whichever node was asked to. */
export async function queuedFitting(
  db: Db,
  kinds: ReadonlyMap<string, JobKind>,
  claimant: Claimant,
): Promise<JobKey[]> {
  const found: JobKey[] = [];
  for (const [name, jobs] of Map.groupBy(await queuedJobs(db), ({ kind }) => kind)) {
    const guids = jobs.map(({ guid }) => guid);
    const known = (await kinds.get(name)?.eligibility(db, guids)) ?? new Map();
    const busy = await runningJobs(db, name, guids);
    for (const [guid, job] of known) {
      if (!busy.has(guid) && fits(job, claimant)) found.push({ kind: name, guid });
    }
  }
  return found;
}
