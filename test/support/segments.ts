// The segments of a table as they lie on disk, and how a test brings them about.

import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ManualClock } from '#test/support/manual-clock.ts';
import type { Service } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

/** With the default settings everything fresh is older than it may get. */
const LONGER_THAN_FRESH = { minutes: 6 };
/** How many polls pass before the clock is advanced again: sealing takes a while, and time that passes has other effects. */
const POLLS_PER_ADVANCE = 25;

interface Running {
  readonly service: Service;
  readonly clock: ManualClock;
}

/** Paths of all files of a table. */
export function filesOf({ config }: Service, table: string): string[] {
  const files = globSync(`${table}.*/**`, { cwd: join(config.data, 'tables'), withFileTypes: true });
  return files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

export const segmentsOf = (service: Service, table: string) => filesOf(service, table).filter(isSegment);

export const bytesOf = (files: readonly string[]) => files.reduce((total, file) => total + statSync(file).size, 0);

const isSegment = (file: string) => file.endsWith('.parquet');
const isJournal = (file: string) => file.endsWith('.journal');

/**
 * Lets time pass until everything fresh of a table is in segments and is read from there: only then is its journal gone.
 * Time that passed for another table may have done it already: the journal that follows is empty.
 */
export async function seal({ service, clock }: Running, table: string): Promise<void> {
  // A log store has no journals: what was acknowledged is where it stays.
  if (service.config.logs !== 'embedded') return clock.advance(LONGER_THAN_FRESH);
  const journals = filesOf(service, table).filter((file) => isJournal(file) && bytesIn(file) > 0);
  const isSealed = (files: readonly string[]) =>
    files.some(isSegment) && !journals.some((file) => files.includes(file));
  let polls = 0;
  await until(() => {
    if (polls % POLLS_PER_ADVANCE === 0) clock.advance(LONGER_THAN_FRESH);
    polls += 1;
    return filesOf(service, table);
  }, isSealed);
}

/** Nothing when the file is gone by now. */
const bytesIn = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
