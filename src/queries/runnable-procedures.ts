// The procedures that an account may run, looked up when a text names them. What their own texts may refer to is for
// their owner's rights to say.

import type { Account, Rightful } from '#access/caller.ts';
import { visibleProcedures } from '#access/procedure-rights.ts';
import type { ProcedureType } from '#query/model/values.ts';
import type { KnownParameter, KnownProcedure, QueryContext } from '#query/planning/query-context.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { Store } from '#store/store.ts';
import type { Learner } from './plan-until-known.ts';

interface Stored {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly KnownParameter[];
  /** Undefined when it has gone. */
  readonly owner: Account | undefined;
}

export class RunnableProcedures implements Learner {
  readonly #store: Store;
  readonly #account: Rightful;
  /** Undefined: there is none that the account may see. */
  readonly #procedures = new Map<string, Stored | undefined>();
  readonly #asked = new Set<string>();
  #isEveryNameAsked = false;
  #names: readonly string[] | undefined;

  constructor(store: Store, account: Rightful) {
    this.#store = store;
    this.#account = account;
  }

  /** `contextOf` says what the text of a procedure sees: what its owner may. */
  known(contextOf: (owner: Account) => QueryContext): ReadonlyMap<string, KnownProcedure> {
    return new AnsweringProcedures({
      named: (name) => {
        if (!this.#procedures.has(name)) this.#asked.add(name);
        const stored = this.#procedures.get(name);
        return stored && knownOf(stored, contextOf);
      },
      names: () => {
        // While some are still looked up the text is planned again anyway.
        this.#isEveryNameAsked ||= this.#names === undefined && this.#asked.size === 0;
        return this.#names ?? [];
      },
    });
  }

  async learn(): Promise<boolean> {
    const names = [...this.#asked];
    const isNew = names.length > 0 || this.#isEveryNameAsked;
    this.#asked.clear();
    if (names.length > 0) await this.#store.read((db) => this.#load(db, names));
    if (this.#isEveryNameAsked) this.#names = await this.#store.read((db) => this.#everyName(db));
    this.#isEveryNameAsked = false;
    return isNew;
  }

  async #load(db: Db, names: readonly string[]): Promise<void> {
    const rows = await inChunks(names, (some) =>
      this.#visible(db)
        .where('procedures.name', 'in', [...some])
        .leftJoin('users', 'users.guid', 'procedures.owner_guid')
        .select([
          'procedures.name',
          'query',
          'parameters',
          'users.guid',
          'users.login',
          'users.role',
          'users.company_guid',
        ])
        .execute(),
    );
    for (const name of names) this.#procedures.set(name, undefined);
    for (const { name, query: text, parameters, guid, login, role, company_guid } of rows) {
      const isThere = guid && login && role && company_guid;
      const owner = isThere ? { userGuid: guid, login, role, companyGuid: company_guid } : undefined;
      this.#procedures.set(name, { name, text, parameters: parametersOf(parameters), owner });
    }
  }

  async #everyName(db: Db): Promise<string[]> {
    return (await this.#visible(db).select('procedures.name').execute()).map(({ name }) => name);
  }

  #visible(db: Db) {
    return visibleProcedures(db.selectFrom('procedures'), this.#account, db);
  }
}

/** What a procedure sees is worked out only where one is planned: it may call others, or itself. */
const knownOf = (
  { name, text, parameters, owner }: Stored,
  contextOf: (owner: Account) => QueryContext,
): KnownProcedure => ({
  name,
  text,
  parameters,
  mayRun: owner !== undefined,
  get queryContext() {
    if (!owner) throw new Error(`nobody may run ${name}: its owner has gone`);
    return contextOf(owner);
  },
});

function parametersOf(kept: string | null): KnownParameter[] {
  const parameters: { key: string; type: ProcedureType }[] = JSON.parse(kept ?? '[]');
  return parameters.map(({ key, type }) => ({ name: key, type }));
}

interface Answers {
  named(name: string): KnownProcedure | undefined;
  names(): readonly string[];
}

class AnsweringProcedures extends Map<string, KnownProcedure> {
  readonly #answers: Answers;

  constructor(answers: Answers) {
    super();
    this.#answers = answers;
  }

  override get(name: string): KnownProcedure | undefined {
    return this.#answers.named(name);
  }

  override keys(): MapIterator<string> {
    return this.#answers.names()[Symbol.iterator]() as MapIterator<string>;
  }
}
