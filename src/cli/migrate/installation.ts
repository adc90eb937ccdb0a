// The installation that objects move into, as texts see it: what the service lists for the key, and the objects of the folder that
// would be there by then. So a text is checked as if the objects that it names existed.

import type { Client } from '#cli/kit/client.ts';
import { SYSTEM_OBJECTS } from '#query/commands/shared/system-objects.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { ProcedureType } from '#query/model/values.ts';
import type {
  KnownParser,
  KnownProcedure,
  KnownProfile,
  KnownTable,
  QueryContext,
} from '#query/planning/query-context.ts';
import { BUILT_IN_PARSERS, storedParser } from '#query/planning/stored-parsers.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import type { Kind } from './export-folder.ts';
import type { ExportedObject, Fields } from './exported-objects.ts';

const PAGE = 1000;

export class Installation {
  readonly context: QueryContext;
  readonly #names: Readonly<Record<Kind, Set<string>>>;
  readonly #lookups: ReadonlyMap<string, Lookup>;
  readonly #tables = new Map<string, KnownTable>();
  readonly #parsers = new Map<string, KnownParser>(BUILT_IN_PARSERS);
  readonly #knownLookups = new Map<string, KnownLookup>();
  readonly #procedures = new Map<string, KnownProcedure>();
  readonly #writable = new Set<string>();

  private constructor(found: Found) {
    const { tables, parsers, lookups, procedures, datasets, schedules, dashboards } = found;
    this.#names = {
      table: new Set(tables.map(({ table_name }) => table_name)),
      parser: new Set(parsers.map(({ code }) => code)),
      lookup: new Set(lookups.map(({ name }) => name)),
      procedure: new Set(procedures.map(({ name }) => name)),
      dataset: new Set(datasets.map(({ name }) => name)),
      schedule: new Set(schedules.map(({ name }) => name)),
      dashboard: new Set(dashboards.map(({ name }) => name)),
      stream: new Set(),
    };
    this.#lookups = new Map(lookups.map((one) => [one.name, one]));
    this.context = this.#contextOf(found);
    for (const { table_name } of tables) this.#addTable(table_name);
    for (const { code, factory_name, configs = {} } of parsers) this.#addParser(code, factory_name, configs as Fields);
    for (const { name, key, columns } of lookups) this.#addLookup(name, key, columns);
    for (const one of procedures) this.#addProcedure(one);
  }

  static async of(client: Client): Promise<Installation> {
    return new Installation(await foundBy(client));
  }

  has({ kind, name }: Pick<ExportedObject, 'kind' | 'name'>): boolean {
    return this.#names[kind].has(name);
  }

  /** The GUID of a lookup whose creation was not followed by its rows, as by a run that was broken off. */
  unloadedLookup({ kind, name, fields, rows }: ExportedObject): string | undefined {
    const lookup = kind === 'lookup' && rows ? this.#lookups.get(name) : undefined;
    const isSame = lookup?.key === fields.key && String(lookup?.columns) === String(fields.columns);
    return lookup?.version === 0 && isSame ? lookup.guid : undefined;
  }

  /** Texts that are checked from now on may name it. */
  add({ kind, name, fields }: ExportedObject): void {
    if (kind === 'table') this.#addTable(name);
    if (kind === 'parser') this.#addParser(name, String(fields.factory_name), fields.configs as Fields);
    if (kind === 'lookup') this.#addLookup(name, String(fields.key), fields.columns as readonly string[]);
    if (kind === 'procedure') this.#addProcedure(procedureOf(name, fields));
  }

  #addTable(name: string): void {
    this.#tables.set(name, { name, columns: [], isOpen: true });
    this.#writable.add(name);
  }

  #addParser(code: string, kind: string, configs: Fields = {}): void {
    const parser = storedParser(kind, configs);
    if (parser) this.#parsers.set(code, parser);
  }

  #addLookup(name: string, key: string, columns: readonly string[]): void {
    const known = columns.map((column) => ({ name: column, type: 'any' as const }));
    this.#knownLookups.set(name, { name, key, columns: known, guid: name, isWritable: true });
  }

  #addProcedure({ name, query, parameters, command }: StoredProcedure): void {
    this.#procedures.set(name, {
      name,
      parameters: parameters.map(({ key, type }) => ({ name: key, type })),
      text: query,
      mayRun: true,
      isCommand: command,
      queryContext: this.context,
    });
  }

  #contextOf({ groups, profiles, nodes, zone }: Found): QueryContext {
    const now = Temporal.Now.instant();
    let row = 0n;
    const nextRow = () => {
      row += 1n;
      return row;
    };
    return {
      now,
      zone,
      node: nodes.find(({ is_self }) => is_self)?.name ?? '',
      otherNodes: new Map(nodes.map(({ name, state }) => [name, { isAlive: state === 'alive' }])),
      tables: this.#tables,
      writableTables: this.#writable,
      lookups: this.#knownLookups,
      memoryLookups: new Map(),
      mayMakeLookups: true,
      parsers: this.#parsers,
      procedures: this.#procedures,
      profiles: new Map(profiles.map((one) => [one.name, one])),
      groups: new Set(groups.map(({ guid }) => guid)),
      // Folders and hosts are settings of the service, which is asked itself.
      exports: { look: () => 'free', folder: '/' },
      imports: { isInside: () => true },
      hosts: { has: () => true },
      systemObjects: new Set(Object.keys(SYSTEM_OBJECTS)),
      constants: new Map(),
      evaluate: (expression, constants) =>
        evaluateConstant(expression, { now, zone, user: '', groups: new Map(), nextRow }, constants),
    };
  }
}

interface StoredProcedure {
  readonly name: string;
  readonly query: string;
  readonly parameters: readonly { readonly key: string; readonly type: ProcedureType }[];
  readonly command: boolean;
}

export const procedureOf = (name: string, fields: Fields): StoredProcedure => ({
  name,
  query: String(fields.query ?? ''),
  // Read by the parameters of the operation before.
  parameters: (fields.parameters ?? []) as unknown as StoredProcedure['parameters'],
  command: fields.command === true,
});

interface Lookup {
  readonly guid: string;
  readonly name: string;
  readonly key: string;
  readonly columns: readonly string[];
  readonly version: number;
}

type Found = Awaited<ReturnType<typeof foundBy>>;

async function foundBy(client: Client) {
  const { user } = await client.call('GET /api/core/sessions', {});
  const { time_zone: zone = 'UTC' }: { readonly time_zone?: string } = user;
  const paged = <T>(list: (page: { offset: number; limit: number }) => Promise<readonly T[]>) => allPages(list);
  return {
    zone,
    tables: await paged(async (page) => (await client.call('GET /api/core/tables', page)).tables),
    parsers: await paged(async (page) => (await client.call('GET /api/core/parsers', page)).parsers),
    lookups: await paged<Lookup>(async (page) => (await client.call('GET /api/core/lookups', page)).lookups),
    procedures: await paged<StoredProcedure>(
      async (page) => (await client.call('GET /api/core/procedures', page)).procedures,
    ),
    datasets: await paged(async (page) => (await client.call('GET /api/core/datasets', page)).datasets),
    schedules: await paged(
      async (page) => (await client.call('GET /api/core/scheduled-queries', page)).scheduled_queries,
    ),
    // Names are unique for each owner.
    dashboards: (await paged(async (page) => (await client.call('GET /api/core/dashboards', page)).dashboards)).filter(
      ({ owner_guid }) => owner_guid === user.guid,
    ),
    groups: await paged(async (page) => (await client.call('GET /api/core/address-groups', page)).address_groups),
    profiles: (
      await paged(async (page) => (await client.call('GET /api/core/connection-profiles', page)).connection_profiles)
    ).map(({ guid, name, kind, writable = true }): KnownProfile => ({ guid, name, kind, mayWrite: writable })),
    nodes: (await client.call('GET /api/core/nodes', {})).nodes,
  };
}

async function allPages<T>(list: (page: { offset: number; limit: number }) => Promise<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await list({ offset: all.length, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
