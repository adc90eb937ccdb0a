// The facts of a run that its expressions use: time, zone, account, address groups and the limit of work. Interfaces
// only, so that the declaration of a function can name them; `values/` has the classes.

import type { Present } from './times.ts';
import type { MapValue, Value } from './values.ts';

export interface RunFacts extends Present {
  readonly user: string;
  /** Groups of addresses or ports by GUID, in lower case. */
  readonly groups: ReadonlyMap<string, AddressSet>;
  /** Locations of addresses; absent without a location database. */
  readonly locations?: AddressLocations;
  /** Limit of the elements that the lists of one row may make together (93010); `DEFAULT_LIST_ELEMENTS` if absent. */
  readonly listElements?: number;
  /** The value of seq(): 1 for the first row. */
  readonly nextRow: () => bigint;
  /** Counts the steps of evaluation; absent without a limit. */
  readonly steps?: Steps;
}

/** An address group; `AddressGroup` implements it. */
export interface AddressSet {
  /** The entries as written; another thread builds the group from them. */
  readonly entries: readonly string[];
  readonly ranges: readonly { readonly low: string; readonly high: string }[];
  readonly ports: PortSet;
  has(text: string): boolean;
}

interface PortSet {
  /** By protocol in lower case; sorted and disjoint. */
  readonly byProtocol: ReadonlyMap<string, readonly { readonly low: number; readonly high: number }[]>;
  has(port: bigint, protocol: string): boolean;
}

export interface AddressLocations {
  /** Undefined for a text that is no address, and for an address outside of all networks. */
  of(text: string): MapValue | undefined;
}

/** A budget of steps; `StepMeter` implements it. */
export interface Steps {
  /** Limit for one rule and record, or for one row of a query. */
  readonly most: number;
  /** True if work slower than a plain pass counts more steps. */
  readonly isWeighed: boolean;
  beginRecord(spent?: number): void;
  take(count: number): void;
  takeWork(count: number): void;
  takeCharacters(count: number, weight?: number): void;
  takeMember(): void;
  takeShallow(value: Value, weight?: number): void;
  takeDeep(value: Value, weight?: number): void;
}
