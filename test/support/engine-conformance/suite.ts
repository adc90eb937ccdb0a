// What the promises of a log engine are tried on: an engine by its maker, a home for each test, tables of each form. A promise
// that an engine does not make is declined with a reason, which the skipped test shows.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fields, LogStore, TableSpec, TimeRange } from '#logs/log-store.ts';
import type { Store } from '#store/store.ts';
import type { ManualClock } from '#test/support/manual-clock.ts';

export const ENGINE_PROMISES = [
  'records',
  'durability',
  'numbering',
  'ranges',
  'days',
  'retention',
  'concurrency',
  'dropping',
  'creation',
  'figures',
  'columns',
  'numbers of both kinds',
  'source offsets',
  'staging',
  'snapshots',
  'plans',
  'imports',
  'cancelling',
  'progress',
  'windows',
  'authentication',
  'encryption',
  'corruption',
] as const;
export type EnginePromise = (typeof ENGINE_PROMISES)[number];

/** How a table is stored: as it is, authenticated, or encrypted. */
export const PROTECTIONS = ['plain', 'checked', 'encrypted'] as const;
export type TestProtection = (typeof PROTECTIONS)[number];

export interface TableForm {
  readonly layout: TableSpec['layout'];
  readonly compression: TableSpec['compression'];
  readonly protection: TestProtection;
}

/** The promise that a form is about, beside that of the test. */
const PROTECTING: Readonly<Record<TestProtection, EnginePromise | undefined>> = {
  plain: undefined,
  checked: 'authentication',
  encrypted: 'encryption',
};

export interface WantedRecords {
  readonly range: TimeRange;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/** An engine over a store of its own, with a clock that the test drives. The zone of its days is Asia/Seoul. */
export interface EngineHome extends AsyncDisposable {
  readonly engine: LogStore;
  readonly store: Store;
  readonly clock: ManualClock;
  /** Failures that were reported from the background; homes with a shared store have one list. */
  readonly failures: unknown[];
  /** Closes the engine and opens it again over the same records. */
  restart(): Promise<void>;
  /** Lets time pass, with a whole round of maintenance at its end: fresh records are sealed after five minutes. */
  tick(length: Temporal.DurationLike): Promise<void>;
  /** Records as they were sent, with the fields of the service. */
  read(table: TableSpec, wanted?: WantedRecords): Promise<Fields[]>;
  count(table: TableSpec, range: TimeRange): Promise<number>;
  createTable(fields: Omit<TableSpec, 'id'>, protection?: TestProtection): Promise<TableSpec>;
  /** What the engine still stores of records that no table shows, named. */
  leftovers(): Promise<readonly string[]>;
  /** Spoils sealed records of a table. Gives the name that the refusal has to tell. */
  corrupt(table: TableSpec): Promise<string>;
}

export interface EngineMaker {
  readonly name: string;
  /** Why the engine cannot run here. */
  readonly skip?: string | undefined;
  open(): Promise<EngineHome>;
  /** Tables that the promises about stored records are tried on. */
  readonly forms: readonly TableForm[];
  /** Promises that the engine does not make, each with its reason. */
  readonly declines?: Readonly<Partial<Record<EnginePromise, string>>>;
}

/** What a group of promises works with; home and table are those of the running test. */
export interface Subject {
  readonly home: EngineHome;
  readonly table: TableSpec;
  promise(promise: EnginePromise, sentence: string, test: () => Promise<void>): void;
}

/** A group of promises on a plain columnar table. */
export function onPlainTable(maker: EngineMaker, title: string, define: (subject: Subject) => void): void {
  const form = { layout: 'columnar', compression: 'snappy', protection: 'plain' } as const;
  describe.skipIf(maker.skip)(`${maker.name}: ${title}`, () => define(subjectFor(maker, form)));
}

/** A group of promises on a table of each form that the maker names; of forms that are alike `by` these parts, on one. */
export function onEachForm(
  maker: EngineMaker,
  { title, by = ['layout', 'compression', 'protection'] }: { title: string; by?: readonly (keyof TableForm)[] },
  define: (subject: Subject) => void,
): void {
  const distinct = new Map(maker.forms.map((form) => [by.map((part) => form[part]).join(), form]));
  for (const form of distinct.values()) {
    const { layout, compression, protection } = form;
    const named = `${maker.name}: ${title}, ${layout}, ${compression} and ${protection}`;
    describe.skipIf(maker.skip)(named, () => define(subjectFor(maker, form)));
  }
}

function subjectFor({ open, declines = {} }: EngineMaker, { layout, compression, protection }: TableForm): Subject {
  let made: { home: EngineHome; table: TableSpec } | undefined;
  const running = () => {
    if (!made) throw new Error('the test has not begun');
    return made;
  };
  const declined = PROTECTING[protection];
  if (!declined || declines[declined] === undefined) {
    beforeEach(async () => {
      const home = await open();
      made = { home, table: await home.createTable({ name: 'web', layout, compression }, protection) };
    });
    afterEach(async () => {
      await made?.home[Symbol.asyncDispose]();
      // Taken out, so that the tests behind it fail for their own alone.
      expect(made?.home.failures.splice(0)).toEqual([]);
    });
  }
  return {
    get home() {
      return running().home;
    },
    get table() {
      return running().table;
    },
    promise(promise, sentence, test) {
      const reason = declines[promise] ?? (declined && declines[declined]);
      if (reason === undefined) it(sentence, test);
      else it.skip(`${sentence} (declined: ${reason})`, test);
    },
  };
}
