// The changes that other nodes must learn of, because they keep something of these rows in memory. A kind is declared here once;
// whatever writes to its tables counts, so no operation has to say so. On a shared database a group that has changed a kind raises
// its number in its own transaction and tells all nodes with its commit (see change-feed.ts). Elsewhere nothing is done.

import type { RootOperationNode } from 'kysely';
import { CHANGES_PAYLOAD, CHANNEL } from '#cluster/bus.ts';
import { OLD_CHANGES, TOLD_ON_BUS } from '#cluster/old-channels.ts';
import type { Connection } from '#store/connection.ts';
import type { Schema } from '#store/schema/schema.ts';
import type { GroupHook } from '#store/units/group.ts';
import type { UnitObserver } from '#store/units/unit.ts';

interface ChangedTable {
  readonly table: keyof Schema;
  /** Removed rows alone count. */
  readonly isRemovalAlone?: true;
  /** Columns that nobody keeps in memory: an update of these alone does not count. */
  readonly without?: readonly string[];
  /** An update of one of these columns alone counts. */
  readonly only?: readonly string[];
}

const COUNTS = ['log_count', 'log_volume', 'drop_count', 'drop_volume', 'last_log_at'];
const SIZES = ['sealed_rows', 'sealed_bytes', 'min_time', 'max_time', 'index_bytes'];
const JOURNALS = ['columns', 'last_id', 'journal_from', 'left_journals'];

const DECLARED = {
  /** Who may do what; open sessions. */
  accounts: [
    { table: 'users' },
    { table: 'api_keys', without: ['last_used'] },
    { table: 'sessions', without: ['last_seen'] },
  ],
  'address-groups': [{ table: 'address_groups' }],
  /** What is collected, read and expected, and how. */
  loggers: [
    { table: 'loggers', without: [...COUNTS, 'expected_since', 'begun_with'] },
    { table: 'logger_models' },
    { table: 'log_schemas' },
    { table: 'log_tables', without: [...SIZES, ...JOURNALS, 'expected_since'] },
    { table: 'parsers' },
  ],
  rules: [{ table: 'rules' }],
  'scheduled-queries': [{ table: 'scheduled_queries' }],
  /** Processes that no longer run what they have claimed. */
  'scheduler-leases': [{ table: 'scheduler_leases', isRemovalAlone: true }],
  /** Runs that are to be stopped by the process that has them. */
  'stop-requests': [{ table: 'schedule_slots', only: ['stop_asked'] }],
} as const satisfies Readonly<Record<string, readonly ChangedTable[]>>;

export type ChangeKind = keyof typeof DECLARED;

/** Kinds that requests wait for (`Following` in change-feed.ts). Others change far more often: each login changes `accounts`. */
export const AWAITED_KINDS = ['address-groups', 'loggers', 'rules'] as const satisfies readonly ChangeKind[];

export type AwaitedKind = (typeof AWAITED_KINDS)[number];

// Every key is a kind.
export const CHANGE_KINDS = Object.keys(DECLARED) as ChangeKind[];

const BY_TABLE: ReadonlyMap<string, ChangedTable & { readonly kind: ChangeKind }> = new Map(
  CHANGE_KINDS.flatMap((kind) => DECLARED[kind].map((source) => [source.table, { ...source, kind }])),
);

/** Raises the numbers of the kinds that a group changes, in its transaction. */
export class ChangedKinds implements GroupHook {
  readonly #committed: (numbers: ReadonlyMap<ChangeKind, number>) => void;
  /** Changed by the kept units of the present group. */
  #kinds = new Set<ChangeKind>();
  #raised: ReadonlyMap<ChangeKind, number> = new Map();

  /** `committed` is called with the numbers that a group has given, once it is durable. */
  constructor(committed: (numbers: ReadonlyMap<ChangeKind, number>) => void) {
    this.#committed = committed;
  }

  begun(): void {
    this.#kinds = new Set();
    this.#raised = new Map();
  }

  unit(): UnitObserver {
    const noted = new Set<ChangeKind>();
    return {
      note(statement) {
        const kind = kindChangedBy(statement);
        if (kind) noted.add(kind);
      },
      kept: () => {
        for (const kind of noted) this.#kinds.add(kind);
      },
    };
  }

  async seal(writer: Connection): Promise<void> {
    if (this.#kinds.size > 0) this.#raised = await this.#raise(writer);
  }

  committed(): void {
    if (this.#raised.size > 0) this.#committed(this.#raised);
  }

  rolledBack(): void {}

  /** Numbers follow commits, because the writers' lock is held until then. */
  async #raise(writer: Connection): Promise<ReadonlyMap<ChangeKind, number>> {
    const kinds = [...this.#kinds].sort();
    const rows = await writer.all(
      `with raised as (
         insert into changes (kind, number) values ${kinds.map(() => '(?, 1)').join(', ')}
         on conflict (kind) do update set number = changes.number + 1 returning kind, number)
       select kind, number, pg_notify(?, ?), pg_notify(?, ?) from raised`,
      [...kinds, CHANNEL, CHANGES_PAYLOAD, OLD_CHANGES, TOLD_ON_BUS],
    );
    return new Map(rows.map(({ kind, number }) => [kind as ChangeKind, Number(number)]));
  }
}

function kindChangedBy(statement: RootOperationNode): ChangeKind | undefined {
  const written = writtenBy(statement);
  const source = written && BY_TABLE.get(written.table);
  if (!source || (source.isRemovalAlone && !written.isRemoval)) return undefined;
  const { without = [], only } = source;
  if (only && !written.columns?.some((column) => only.includes(column))) return undefined;
  const isKept = written.columns?.every((column) => without.includes(column)) === true;
  return isKept ? undefined : source.kind;
}

interface Written {
  readonly table: string;
  readonly isRemoval: boolean;
  /** Of an update. */
  readonly columns?: readonly string[];
}

function writtenBy(statement: RootOperationNode): Written | undefined {
  switch (statement.kind) {
    case 'InsertQueryNode':
      return { table: nameIn(statement.into), isRemoval: false };
    case 'DeleteQueryNode':
      return { table: nameIn(statement.from.froms[0]), isRemoval: true };
    case 'UpdateQueryNode': {
      const columns = (statement.updates ?? []).map(({ column }) => nameIn(column));
      return { table: nameIn(statement.table), isRemoval: false, columns };
    }
    default:
      return undefined;
  }
}

/** Of a table or a column, however it is wrapped. */
function nameIn(node: object | undefined): string {
  if (!node) return '';
  if ('name' in node && typeof node.name === 'string') return node.name;
  const inner = ['node', 'table', 'column', 'identifier'].flatMap((key) => {
    const value: unknown = Reflect.get(node, key);
    return typeof value === 'object' && value !== null ? [value] : [];
  });
  return nameIn(inner[0]);
}
