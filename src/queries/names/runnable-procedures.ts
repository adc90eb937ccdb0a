// The procedures that an account may run, loaded when a text names them. Their own texts run with the rights of the owner.

import type { Account, Rightful } from '#access/caller.ts';
import { visibleProcedures } from '#access/rights/procedure-rights.ts';
import type { MissingLoader } from '#queries/check/plan-until-known.ts';
import type { ProcedureType } from '#query/model/values.ts';
import type { KnownParameter, KnownProcedure, QueryContext } from '#query/planning/query-context.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { Store } from '#store/store.ts';
import { NamedObjects } from './named-objects.ts';

interface StoredProcedure {
  readonly name: string;
  readonly text: string;
  readonly description: string;
  readonly isCommand: boolean;
  readonly parameters: readonly KnownParameter[];
  /** Undefined when the account was removed. */
  readonly owner: Account | undefined;
}

export class RunnableProcedures implements MissingLoader {
  readonly #account: Rightful;
  readonly #procedures: NamedObjects<StoredProcedure>;

  constructor(store: Store, account: Rightful) {
    this.#account = account;
    this.#procedures = new NamedObjects(store, {
      load: (db, names) => this.#load(db, names),
      names: async (db) => (await this.#visible(db).select('procedures.name').execute()).map(({ name }) => name),
    });
  }

  /** `contextOf` gives the context of the owner for the text of a procedure. */
  known(contextOf: (owner: Account) => QueryContext): ReadonlyMap<string, KnownProcedure> {
    return this.#procedures.known((stored) => knownOf(stored, contextOf));
  }

  loadMissing(): Promise<boolean> {
    return this.#procedures.loadMissing();
  }

  async #load(db: Db, names: readonly string[]): Promise<(readonly [string, StoredProcedure])[]> {
    const rows = await inChunks(names, (some) =>
      this.#visible(db)
        .where('procedures.name', 'in', [...some])
        .leftJoin('users', 'users.guid', 'procedures.owner_guid')
        .select([
          'procedures.name',
          'procedures.description',
          'query',
          'parameters',
          'command',
          'users.guid',
          'users.login',
          'users.role',
          'users.company_guid',
        ])
        .execute(),
    );
    return rows.map(({ name, guid, login, role, company_guid, ...row }) => {
      const isThere = guid && login && role && company_guid;
      const owner = isThere ? { userGuid: guid, login, role, companyGuid: company_guid } : undefined;
      const parameters = parametersOf(row.parameters);
      const described = { description: row.description ?? '', isCommand: row.command === 1 };
      return [name, { name, text: row.query, ...described, parameters, owner }] as const;
    });
  }

  #visible(db: Db) {
    return visibleProcedures(db.selectFrom('procedures'), this.#account, db);
  }
}

/** The context of a procedure is created only when the procedure is planned: it may call others, or itself. */
const knownOf = (
  { owner, ...stored }: StoredProcedure,
  contextOf: (owner: Account) => QueryContext,
): KnownProcedure => ({
  ...stored,
  mayRun: owner !== undefined,
  get queryContext() {
    if (!owner) throw new Error(`nobody may run ${stored.name}: its owner has gone`);
    return contextOf(owner);
  },
});

function parametersOf(kept: string | null): KnownParameter[] {
  const parameters: { key: string; description?: string; type: ProcedureType }[] = JSON.parse(kept ?? '[]');
  return parameters.map(({ key, description = '', type }) => ({ name: key, description, type }));
}
