// The answers of a database for rows (dblookup): each list of values is asked for once in a run.

import type { MapValue, Value } from '#query/model/values.ts';
import type { DatabaseLookup } from '#query/plan-nodes/dblookup.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import type { DatabaseSession, SessionStatement } from './database-session.ts';

/** What a lookup needs of the use of its profile. */
export interface AnswerContext {
  reading<T>(
    work: (
      session: DatabaseSession,
      context: {
        readonly profile: { readonly max_bytes: number };
        readonly zone: string;
        readonly time: { wait<W>(work: Promise<W>): Promise<W> };
      },
    ) => AsyncGenerator<T>,
  ): AsyncGenerator<T>;
  queryError(error: unknown): unknown;
}

/** Of answers that are remembered; the oldest are forgotten beyond it, and asked for again. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

interface KnownAnswer {
  readonly answer: MapValue;
  readonly size: number;
}

export class LookupAnswers {
  readonly #node: DatabaseLookup;
  readonly #context: AnswerContext;
  readonly #known = new BoundedMap<string, KnownAnswer>({
    max: MAX_CHARACTERS,
    evicts: 'oldest',
    weigh: ({ size }) => size,
  });

  constructor(node: DatabaseLookup, context: AnswerContext) {
    this.#node = node;
    this.#context = context;
  }

  /** The fields for each list of values, in their order. */
  async of(asked: readonly (readonly Value[])[]): Promise<readonly MapValue[]> {
    const keys = asked.map((values) => taggedJson(values));
    const found = new Map<string, MapValue>();
    const missing = new Map<string, readonly Value[]>();
    for (const [index, key] of keys.entries()) {
      const known = this.#known.get(key);
      if (known) found.set(key, known.answer);
      else missing.set(key, asked[index] ?? []);
    }
    if (missing.size > 0) await this.#ask(missing, found);
    return keys.map((key) => found.get(key) ?? new Map());
  }

  async #ask(missing: ReadonlyMap<string, readonly Value[]>, found: Map<string, MapValue>): Promise<void> {
    const { sql } = this.#node;
    const answers = this.#context.reading(async function* (session, { profile, time, zone }) {
      await time.wait(session.limitRows(1));
      for (const [key, values] of missing) {
        const statement = { text: sql.text, values, zone, maxBytes: profile.max_bytes, limit: 1 };
        yield { key, answer: await time.wait(firstRow(session, statement)) };
      }
    });
    try {
      for await (const { key, answer } of answers) {
        found.set(key, answer);
        this.#known.set(key, { answer, size: key.length + taggedJson(answer).length });
      }
    } catch (error) {
      throw this.#context.queryError(error);
    }
  }
}

/** Without a row all of its columns are null. */
async function firstRow(session: DatabaseSession, statement: SessionStatement): Promise<MapValue> {
  let answer: MapValue | undefined;
  for await (const { names, rows } of session.rows(statement)) {
    answer ??= rows[0] ?? new Map(names.map((name) => [name, null]));
  }
  return answer ?? new Map();
}
