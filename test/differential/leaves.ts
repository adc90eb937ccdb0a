// Values inside of objects, some of which have columns of their own, against the evaluator of stream rules and against the same
// records as documents: as they come, after a new start, sealed, partly sealed, merged and dense.

import fc from 'fast-check';
import { incomingRecord } from '#detection/stream/incoming-record.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { quoted } from '#query/language/strings.ts';
import { compileRule } from '#query/rules/condition.ts';
import { record } from '#test/support/engine-conformance/samples.ts';
import type { TestProtection } from '#test/support/engine-conformance/suite.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { FiledBatches } from '#test/support/filed-batches.ts';
import type { DuckdbHome } from '#test/support/log-engine.ts';
import { changedMember, type NestedText, nestedText, spaced } from '#test/support/nested-texts.ts';
import { type AnyCheck, checkOf } from './check.ts';
import { RULE_CONTEXT } from './records.ts';

interface Case {
  readonly before: readonly NestedText[];
  /** Of records that come when the shapes of the others are known. */
  readonly after: readonly NestedText[];
  readonly questions: readonly Question[];
  readonly isSpaced: boolean;
}

/** Of indexes into lists that may be shorter. */
interface Question {
  readonly path: number;
  readonly other: number;
  readonly test: number;
}

/** Where the tables of a case are. */
export interface LeavesSubject {
  readonly home: DuckdbHome;
  readonly protection: TestProtection;
  /** Files that were made in all cases, and among them those that had leaves in columns. */
  readonly filed: { files: number; withLeaves: number };
}

export function leavesCheck(subject: LeavesSubject): AnyCheck {
  // Shrinking goes on after the time of a run is over, and has tables of the same names.
  let previous: Promise<unknown> = Promise.resolve();
  const judgeNext = (one: Case) => {
    const judged = previous.then(() => judge(one, subject));
    previous = judged.catch(() => undefined);
    return judged;
  };
  return checkOf<Case>({ name: `leaves, ${subject.protection}`, given, judge: judgeNext });
}

const given: fc.Arbitrary<Case> = fc.record({
  before: fc.array(nestedText, { minLength: 1, maxLength: 3 }),
  after: fc.array(nestedText, { minLength: 1, maxLength: 2 }),
  questions: fc.array(fc.record({ path: fc.nat(), other: fc.nat(), test: fc.nat() }), { minLength: 2, maxLength: 2 }),
  isSpaced: fc.boolean(),
});

/** Of each template: shapes are learnt of eight records that have them. */
const RECORDS = 24;
/** Columns are known, shapes are learnt, and then they are there. */
const APPENDS_UNTIL_KNOWN = 3;

const TESTS: readonly ((value: string, other: string) => string)[] = [
  (value) => `isnotnull(${value})`,
  (value) => `${value} >= 1`,
  (value) => `${value} == "x" or ${value} == 2.5`,
  (value) => `${value} != "5"`,
  (value) => `${value} == "*x*"`,
  (value) => `${value} == 5`,
  (value, other) => `${value} == ${other}`,
  (value, other) => `${value} < ${other}`,
  (value) => `isstr(${value}) and ${value} < "p"`,
  (value) => `isnum(${value})`,
  (value, other) => `in(${value}, 1, "x", true) or isnull(${other})`,
  (value) => `not(${value} == true)`,
  (value) => `contains(${value}, "x")`,
];
const WORDS = ['x', 'a', '5', '2.5', 'true', 'null', '한글', 'é', '123456789012345678901234567890'];

async function judge(
  { before, after, questions, isSpaced }: Case,
  subject: LeavesSubject,
): Promise<string | undefined> {
  const { home } = subject;
  await using tables = await Tables.create(subject, isSpaced);
  const forms: readonly Form[] = [
    { name: 'fresh', reach: () => tables.append(Array.from({ length: APPENDS_UNTIL_KNOWN }, () => before)) },
    { name: 'after a new start', reach: () => home.restart() },
    { name: 'sealed', reach: () => home.tick({ minutes: 6 }) },
    { name: 'partly sealed', isAsked: true, reach: () => tables.append([after, after, [...before, ...after]]) },
    { name: 'uploaded', reach: () => tables.upload([...after, ...before]) },
    { name: 'merged', reach: () => home.tick({ minutes: 6 }).then(() => home.tick({ minutes: 60 })) },
    { name: 'dense', isAsked: true, reach: () => home.tick({ hours: 32 * 24 }) },
  ];
  const asked = new Questions(questions, [...before, ...after]);
  for (const { name, reach, isAsked = false } of forms) {
    await reach();
    const complaint =
      (await tables.compareTexts()) ??
      (isAsked ? await tables.compare(asked) : undefined) ??
      home.failures.splice(0)[0];
    if (complaint !== undefined) return `${name}: ${complaint}\n${tables.sample(before, after)}`;
  }
  tables.addFiles(subject.filed);
  return undefined;
}

/** How the records are stored. In some forms no more is compared than the records themselves. */
interface Form {
  readonly name: string;
  readonly isAsked?: boolean;
  reach(): Promise<unknown>;
}

/** What is asked. */
class Questions {
  readonly conditions: readonly string[];
  /** Computed columns, all with one name. */
  readonly values: readonly string[];
  /** Commands that the evaluator of rules does not have. */
  readonly commands: readonly string[];

  constructor(questions: readonly Question[], templates: readonly NestedText[]) {
    const paths = [['nothing'], ['a', 'nothing'], ...templates.flatMap((template) => template.paths)];
    // A name is not empty.
    const named = paths.filter((path) => !path.includes(''));
    const chosen = questions.map(({ path, other, test }) => {
      const own = named[path % named.length] ?? [];
      return { own, value: valueAt(own), other: valueAt(named[other % named.length] ?? []), test };
    });
    this.conditions = chosen.map(({ value, other, test }) => TESTS[test % TESTS.length]?.(value, other) ?? value);
    // Of fields themselves, columns do not tell 1.0 from 1.
    const inner = chosen.filter(({ own }) => own.length > 1);
    this.values = inner.map(({ value }) => `concat(typeof(${value}), ":", string(${value}))`);
    this.commands = chosen.flatMap(({ value, test }) => [
      `table t | eval v = ${value} | stats count, min(n) as least by v | sort least, v`,
      test % 2 === 0
        ? `table t | stats dc(${value}) as d, min(${value}) as l, max(${value}) as m`
        : `fulltext ${quoted(WORDS[test % WORDS.length] ?? '')} from t | sort n | fields n`,
    ]);
  }
}

const valueAt = ([field = '', ...keys]: readonly string[]): string =>
  keys.reduce((inner, key) => `valueof(${inner}, ${quoted(key)})`, `field(${quoted(field)})`);

/** A table with leaves, and one with the same records as documents. */
class Tables implements AsyncDisposable {
  readonly #home: DuckdbHome;
  readonly #own: TableSpec;
  readonly #documents: TableSpec;
  readonly #batches: FiledBatches;
  readonly #written: (line: string) => string;
  /** By their numbers. */
  readonly #texts: string[] = [];
  readonly #answers = new Map<string, unknown>();

  private constructor(home: DuckdbHome, own: TableSpec, documents: TableSpec, isSpaced: boolean) {
    this.#home = home;
    this.#own = own;
    this.#documents = documents;
    this.#batches = new FiledBatches(own);
    this.#written = isSpaced ? spaced : (line) => line;
  }

  static async create({ home, protection }: LeavesSubject, isSpaced: boolean): Promise<Tables> {
    const own = await home.createTable({ name: 't', layout: 'columnar', compression: 'snappy' }, protection);
    const documents = await home.createTable({ name: 'u', layout: 'row', compression: 'snappy' });
    return new Tables(home, own, documents, isSpaced);
  }

  addFiles(sums: LeavesSubject['filed']): void {
    sums.files += this.#batches.files;
    sums.withLeaves += this.#batches.withLeaves;
  }

  async append(batches: readonly (readonly NestedText[])[]): Promise<void> {
    for (const templates of batches) {
      const records = this.#records(templates);
      await this.#batches.append(this.#home.engine, records, this.#written);
      await this.#home.engine.append(this.#documents, records);
    }
  }

  async upload(templates: readonly NestedText[]): Promise<void> {
    const records = this.#records(templates);
    await this.#batches.upload(this.#home.engine, records, this.#written);
    await this.#home.engine.append(this.#documents, records);
  }

  #records(templates: readonly NestedText[]) {
    const { epochMilliseconds } = this.#home.clock.now();
    return Array.from({ length: RECORDS }, () => templates)
      .flat()
      .map((template) => {
        const number = this.#texts.length;
        const text = `{"n":${number},${template.members(number)}}`;
        this.#texts.push(text);
        return record(text, epochMilliseconds + number);
      });
  }

  /** Every member of every record, as it was pushed. */
  async compareTexts(): Promise<string | undefined> {
    return changedMember(this.#texts, await this.#home.read(this.#own));
  }

  async compare({ conditions, values, commands }: Questions): Promise<string | undefined> {
    for (const condition of conditions) {
      const found = await this.#cells(`search ${condition} | sort n | fields n`);
      const wanted = this.#judged(`search ${condition}`).map(([number]) => [number]);
      if (!isSame(found, wanted)) return differ(condition, found, wanted);
    }
    for (const value of values) {
      const found = await this.#cells(`eval v = ${value} | sort n | fields n, v`);
      const wanted = this.#judged(`eval v = ${value}`).map(([number, row]) => [number, row.get('v') ?? null]);
      if (!isSame(found, wanted)) return differ(value, found, wanted);
    }
    for (const text of commands) {
      const { rows: found } = await queryOn(this.#home.engine, [this.#own], text);
      const wanted = await this.#ofDocuments(text.replace(/(?<=^table |from )t/, 'u'));
      if (!isSame(found, wanted)) return differ(text, found, wanted);
    }
    return undefined;
  }

  /** The same for the same records. */
  async #ofDocuments(text: string): Promise<unknown> {
    const key = `${this.#texts.length} ${text}`;
    const known = this.#answers.get(key) ?? (await queryOn(this.#home.engine, [this.#documents], text)).rows;
    this.#answers.set(key, known);
    return known;
  }

  async #cells(steps: string) {
    return (await queryOn(this.#home.engine, [this.#own], `table t | ${steps}`)).rows;
  }

  /** The records that a rule lets pass, with their numbers. */
  #judged(steps: string) {
    const { judge: pass } = runToEnd(compileRule(steps, RULE_CONTEXT));
    return this.#texts.flatMap((text, number) => {
      const row = pass(incomingRecord(text, number, 't'));
      return row ? [[number, row] as const] : [];
    });
  }

  sample(before: readonly NestedText[], after: readonly NestedText[]): string {
    const texts = (templates: readonly NestedText[]) =>
      templates.flatMap((one) => [0, 1, 2].map((at) => `  {${one.members(at)}}`));
    return [...texts(before), '  and then', ...texts(after)].join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { store, engine } = this.#home;
    for (const spec of [this.#own, this.#documents]) {
      await store.write(async (db) => void (await db.deleteFrom('log_tables').where('id', '=', spec.id).execute()));
      await engine.drop(spec);
    }
    // The next case has one of the same name.
    await store.write(async (db) => void (await db.deleteFrom('crypto_profiles').execute()));
  }
}

const isSame = (found: unknown, wanted: unknown): boolean => JSON.stringify(found) === JSON.stringify(wanted);

const differ = (text: string, found: unknown, wanted: unknown): string =>
  `${text}\n  gives ${JSON.stringify(found)}\n  not   ${JSON.stringify(wanted)}`;
