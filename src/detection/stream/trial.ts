// Rules tried on records that nobody keeps: which would match, and what stopped the others. Nothing is raised.

import type { Fields } from '#detection/matches.ts';
import type { Condition } from '#detection/templates.ts';
import type { Clock } from '#kernel/clock.ts';
import { shownConstants } from '#queries/constants.ts';
import { QueryMistake } from '#query/mistake.ts';
import type { MapValue } from '#query/values.ts';
import type { Db } from '#store/kysely.ts';
import type { RuleRow } from '#store/rule-schema.ts';
import { AddressBook } from './address-book.ts';
import type { BrokenRule } from './live-set.ts';
import type { Stages } from './stages.ts';
import { groupsIn, stagesOf, streamRuleOf } from './stream-rule.ts';

/** A rule that is tried; null for one that is being written. */
export interface Named {
  readonly guid: string | null;
  readonly name: string | null;
}

export interface Tried extends Named {
  readonly stages: Stages;
  /** Whether it is told why a record does not fit, too. */
  readonly isExplained: boolean;
}

export interface Draft {
  readonly conditions: readonly Condition[];
  /** The address groups that they ask. */
  readonly groups: readonly string[];
  readonly user: string;
}

export interface Match extends Named {
  /** The row that would feed the event. */
  readonly fields: Fields;
}

/** The condition that stopped a record. */
export interface Miss extends Named {
  readonly ordinal: number;
  /** Normalized. */
  readonly condition: string;
  /** Whether it holds where its text does not let a record pass. */
  readonly invert: boolean;
  /** What it read. */
  readonly fields: Fields;
}

interface TrialParts {
  readonly clock: Clock;
  readonly zone: string;
}

/** Makes rules ready that may be out of force, and one that is being written, with the address groups as they are now. */
export async function triedRules(
  db: Db,
  { rows, draft }: { readonly rows: readonly RuleRow[]; readonly draft: Draft | undefined },
  { clock, zone }: TrialParts,
): Promise<{ readonly tried: Tried[]; readonly broken: BrokenRule[] }> {
  const book = new AddressBook(() => clock.now().epochMilliseconds);
  await book.keep(db, new Set([...rows.flatMap(groupsIn), ...(draft?.groups ?? [])]));
  const around = { zone, groups: () => book.groups, now: () => clock.now() };
  const tried: Tried[] = [];
  const broken: BrokenRule[] = [];
  for (const row of rows) {
    const { guid, name } = row;
    try {
      tried.push({ guid, name, stages: streamRuleOf(row, around), isExplained: true });
    } catch (failure) {
      if (!(failure instanceof QueryMistake)) throw failure;
      broken.push({ guid, name, reason: `${failure.code} ${failure.message}` });
    }
  }
  if (draft) {
    const stages = stagesOf(draft.conditions, draft.user, around);
    tried.push({ guid: null, name: null, stages, isExplained: true });
  }
  return { tried, broken };
}

/** What becomes of one record. */
export function outcomeOf(record: MapValue, rules: readonly Tried[], zone: string) {
  const matches: Match[] = [];
  const misses: Miss[] = [];
  for (const { guid, name, stages, isExplained } of rules) {
    const end = passage(stages, record, zone);
    if ('condition' in end) {
      if (isExplained) misses.push({ guid, name, ...end });
    } else matches.push({ guid, name, ...end });
  }
  return { matches, misses };
}

/** Through one condition after the other, as far as it gets. */
function passage(
  { stages }: Stages,
  record: MapValue,
  zone: string,
): Omit<Match, keyof Named> | Omit<Miss, keyof Named> {
  let row = record;
  for (const { ordinal, text, isNegated, reads, judge } of stages) {
    const next = judge(row);
    if (!next) {
      const read = new Map(reads.map((name) => [name, row.get(name) ?? null]));
      return { ordinal, condition: text, invert: isNegated, fields: shown(read, zone) };
    }
    row = next;
  }
  return { fields: shown(row, zone) };
}

/** Shown constants are JSON. */
const shown = (fields: MapValue, zone: string): Fields => shownConstants(fields, zone) as Fields;
