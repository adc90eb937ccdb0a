// The parsers that a text names, loaded when it names them. All accounts may use all of them.

import type { KnownParser, QueryContext } from '#query/planning/query-context.ts';
import { BUILT_IN_PARSERS, storedParser } from '#query/planning/stored-parsers.ts';
import { inChunks } from '#store/lists.ts';
import type { Store } from '#store/store.ts';
import type { MissingLoader } from './plan-until-known.ts';

export class StoredParsers implements MissingLoader {
  readonly #store: Store;
  /** Undefined for a parser that does not exist. */
  readonly #known = new Map<string, KnownParser | undefined>();
  readonly #requested = new Set<string>();
  #isEveryCodeRequested = false;
  #codes: readonly string[] | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  known(): QueryContext['parsers'] {
    return new LazyParsers({
      coded: (code) => {
        const builtIn = BUILT_IN_PARSERS.get(code);
        if (builtIn) return builtIn;
        if (!this.#known.has(code)) this.#requested.add(code);
        return this.#known.get(code);
      },
      codes: () => {
        // While parsers are missing, the text is planned again anyway.
        this.#isEveryCodeRequested ||= this.#codes === undefined && this.#requested.size === 0;
        return [...BUILT_IN_PARSERS.keys(), ...(this.#codes ?? [])];
      },
    });
  }

  async loadMissing(): Promise<boolean> {
    const codes = [...this.#requested];
    const isNew = codes.length > 0 || this.#isEveryCodeRequested;
    this.#requested.clear();
    if (codes.length > 0) await this.#load(codes);
    if (this.#isEveryCodeRequested) this.#codes = await this.#everyCode();
    this.#isEveryCodeRequested = false;
    return isNew;
  }

  async #load(codes: readonly string[]): Promise<void> {
    const rows = await this.#store.read((db) =>
      inChunks(codes, (some) =>
        db
          .selectFrom('parsers')
          .select(['code', 'factory_name', 'configs'])
          .where('code', 'in', [...some])
          .execute(),
      ),
    );
    for (const code of codes) this.#known.set(code, undefined);
    for (const { code, factory_name, configs } of rows) {
      this.#known.set(code, storedParser(factory_name, JSON.parse(configs ?? '{}')));
    }
  }

  async #everyCode(): Promise<string[]> {
    const rows = await this.#store.read((db) => db.selectFrom('parsers').select('code').execute());
    return rows.map(({ code }) => code);
  }
}

interface ParserSource {
  coded(code: string): KnownParser | undefined;
  codes(): readonly string[];
}

class LazyParsers extends Map<string, KnownParser> {
  readonly #answers: ParserSource;

  constructor(answers: ParserSource) {
    super();
    this.#answers = answers;
  }

  override get(code: string): KnownParser | undefined {
    return this.#answers.coded(code);
  }

  override keys(): MapIterator<string> {
    return this.#answers.codes()[Symbol.iterator]() as MapIterator<string>;
  }
}
