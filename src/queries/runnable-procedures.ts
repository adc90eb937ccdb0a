// The procedures that an account may run, loaded when a text names them. Their own texts run with the rights of the owner.

import type { Account, Rightful } from '#access/caller.ts';
import { visibleProcedures } from '#access/procedure-rights.ts';
import type { ProcedureType } from '#query/model/values.ts';
import type { KnownParameter, KnownProcedure, QueryContext } from '#query/planning/query-context.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { Store } from '#store/store.ts';
import type { MissingLoader } from './plan-until-known.ts';

interface StoredProcedure {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly KnownParameter[];
  /** Undefined when the account was removed. */
  readonly owner: Account | undefined;
}

export class RunnableProcedures implements MissingLoader {
  readonly #store: Store;
  readonly #account: Rightful;
  /** Undefined for a procedure that does not exist for the account. */
  readonly #procedures = new Map<string, StoredProcedure | undefined>();
  readonly #requested = new Set<string>();
  #isEveryNameRequested = false;
  #names: readonly string[] | undefined;

  constructor(store: Store, account: Rightful) {
    this.#store = store;
    this.#account = account;
  }

  /** `contextOf` gives the context of the owner for the text of a procedure. */
  known(contextOf: (owner: Account) => QueryContext): ReadonlyMap<string, KnownProcedure> {
    return new LazyProcedures({
      named: (name) => {
        if (!this.#procedures.has(name)) this.#requested.add(name);
        const stored = this.#procedures.get(name);
        return stored && knownOf(stored, contextOf);
      },
      names: () => {
        // While procedures are missing, the text is planned again anyway.
        this.#isEveryNameRequested ||= this.#names === undefined && this.#requested.size === 0;
        return this.#names ?? [];
      },
    });
  }

  async loadMissing(): Promise<boolean> {
    const names = [...this.#requested];
    const isNew = names.length > 0 || this.#isEveryNameRequested;
    this.#requested.clear();
    if (names.length > 0) await this.#store.read((db) => this.#load(db, names));
    if (this.#isEveryNameRequested) this.#names = await this.#store.read((db) => this.#everyName(db));
    this.#isEveryNameRequested = false;
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

/** The context of a procedure is created only when the procedure is planned: it may call others, or itself. */
const knownOf = (
  { name, text, parameters, owner }: StoredProcedure,
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

interface ProcedureSource {
  named(name: string): KnownProcedure | undefined;
  names(): readonly string[];
}

class LazyProcedures extends Map<string, KnownProcedure> {
  readonly #answers: ProcedureSource;

  constructor(answers: ProcedureSource) {
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
