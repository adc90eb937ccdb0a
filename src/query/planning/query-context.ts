// Objects that a query can refer to besides its own text. The caller's rights are already applied: objects that a caller
// may not read are not here. Everything is known before parsing, so nothing in this room waits.

import type { HostList } from '#kernel/net/host-list.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import type { Expression } from '#query/model/expression.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { Present, TimeRange } from '#query/model/times.ts';
import type { ProcedureType, Value } from '#query/model/values.ts';
import type { ExportPaths } from '#query/values/export-paths.ts';
import type { ImportPaths } from '#query/values/import-paths.ts';
import type { InterimResults } from './pending-parts.ts';

export interface KnownTable {
  readonly name: string;
  /** Declared columns, without `_table`, `_time` and `_id`. */
  readonly columns: readonly KnownColumn[];
  /** Whether some row may have fields beside its declared columns; if none has, all columns are known. */
  readonly isOpen: boolean;
  /** Names of these fields, as far as they are recorded; absent where any may be there. */
  readonly keys?: ReadonlySet<string>;
}

/** A parser that `parse NAME` may run, with its configuration. */
export type KnownParser =
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'csv'; readonly columns: readonly string[]; readonly delimiter: string; readonly quote: string }
  | {
      readonly kind: 'key-value';
      readonly pairDelimiter: string;
      readonly keyDelimiter: string;
      readonly quoted: boolean;
    }
  | { readonly kind: 'json'; readonly flatten: boolean; readonly lenient: boolean }
  | { readonly kind: 'xml' | 'syslog' | 'text' }
  | { readonly kind: 'query'; readonly query: string };

export interface KnownParameter {
  readonly name: string;
  readonly type: ProcedureType;
  readonly description?: string;
}

export interface KnownProcedure {
  readonly name: string;
  readonly parameters: readonly KnownParameter[];
  readonly text: string;
  readonly description?: string;
  readonly mayRun: boolean;
  /** Whether its name is a command (8.5). */
  readonly isCommand?: boolean;
  /** The objects that the query of the procedure can refer to, with its owner's rights. */
  readonly queryContext: QueryContext;
}

/** A connection profile that the account may use. */
export interface KnownProfile {
  readonly guid: string;
  readonly name: string;
  readonly kind: 'postgresql' | 'mysql' | 'http';
  readonly mayWrite: boolean;
}

/** Another node of the installation. */
export interface KnownNode {
  readonly isAlive: boolean;
}

export interface QueryContext extends Present, InterimResults {
  /** The name of the node that runs the query. */
  readonly node: string;
  /** Other nodes that have ever started, by name; absent: none. */
  readonly otherNodes?: ReadonlyMap<string, KnownNode>;
  /** Set where another node has asked for the query, or is going to be asked: it is passed on once, and no further. */
  readonly isPassedOn?: true;
  /** The node that plans a query for another one; it is there, and is none of `otherNodes`. */
  readonly askingNode?: string;
  /** Readable ones. */
  readonly tables: ReadonlyMap<string, KnownTable>;
  readonly writableTables: ReadonlySet<string>;
  /** Stored lookups that may be read, by name. */
  readonly lookups: ReadonlyMap<string, KnownLookup>;
  /** Lookups in memory of the account, by name. */
  readonly memoryLookups: ReadonlyMap<string, KnownLookup>;
  /** Whether a sink may make a stored lookup that does not exist. */
  readonly mayMakeLookups: boolean;
  /** Stored and built-in parsers by code. */
  readonly parsers: ReadonlyMap<string, KnownParser>;
  readonly procedures: ReadonlyMap<string, KnownProcedure>;
  /** Connection profiles that the account may use; absent: none. */
  readonly profiles?: ReadonlyMap<string, KnownProfile>;
  /** Those that the account may use that has called the text of another one; absent: it is the same account. */
  readonly callerProfiles?: ReadonlyMap<string, KnownProfile>;
  /** GUIDs of groups of addresses or ports, in lower case. */
  readonly groups: ReadonlySet<string>;
  /** The folder that file sinks write to; absent where the caller has no right to. */
  readonly exports?: ExportPaths;
  /** The folders that file drivers read; absent where the account has no right to. */
  readonly imports?: ImportPaths;
  /** Hosts that requests may name by a url; absent where the account has no right to. */
  readonly hosts?: Pick<HostList, 'has'>;
  /** Whether the account that called the text of another one is an administrator; absent: it is the same account. */
  readonly isCallerAdministrator?: boolean;
  /** System objects the caller may see. */
  readonly systemObjects: ReadonlySet<string>;
  /** The account whose rights these are; absent: the account that runs the query. */
  readonly account?: string;
  /** Constants of the run that the caller gives; `_from` and `_to` among them where there is a range. */
  readonly constants: ReadonlyMap<string, Value>;
  /** Parameters of a procedure that is checked and not called: their types are known, their values are not. */
  readonly parameters?: readonly KnownParameter[];
  /** The text is only checked: a place that needs a value may read null from a parameter (5). */
  readonly isCheck?: true;
  /** Further constants may come with a run: those that a preceding query hands on. */
  readonly mayReceive?: true;
  /** Contexts of the accounts that called the text, the outermost first: a name from a parameter needs the rights of all (11). */
  readonly callers?: readonly QueryContext[];
  /** The range that is read of tables where the text has none. */
  readonly range?: TimeRange | undefined;
  /** Evaluates a constant expression; a parameter that is not among the constants is not set. */
  readonly evaluate?: (expression: Expression, constants: ReadonlyMap<string, Value>) => Value;
}

/** The same on another node, or on any of them for a star, whose files and hosts are not known here. */
export function contextElsewhere(context: QueryContext, node: string): QueryContext {
  const { setqResults: _, chartColumns: __, endedPhases: ___, exports, imports, hosts, ...rest } = context;
  return {
    ...rest,
    node,
    isPassedOn: true,
    askingNode: context.node,
    ...(exports ? { exports: { folder: exports.folder, look: () => 'free' as const } } : {}),
    ...(imports ? { imports: { isInside: () => true } } : {}),
    ...(hosts ? { hosts: { has: () => true } } : {}),
  };
}
