// What a run of a query gives to the evaluation of its expressions: moment, zone, account, address groups and the bound on
// work. Interfaces only, so that the declaration of a function can name them; `values/` has the classes.

import type { Present } from './times.ts';
import type { MapValue, Value } from './values.ts';

export interface RunFacts extends Present {
  readonly user: string;
  /** Groups of addresses or ports by GUID, in lower case. */
  readonly groups: ReadonlyMap<string, AddressSet>;
  /** Locations of addresses; absent without a location database. */
  readonly places?: AddressPlaces;
  /** Elements that the lists of one row may make together (93010); absent: `LIST_ELEMENTS`. */
  readonly listElements?: number;
  /** 1 for the first row, and so on; the value of seq(). */
  readonly nextRow: () => bigint;
  /** Counts the steps of evaluation, where these are bounded. */
  readonly steps?: Steps;
}

/** An address group, see `AddressGroup`. */
export interface AddressSet {
  /** As written: another thread makes the group again from them. */
  readonly entries: readonly string[];
  readonly ranges: readonly { readonly low: string; readonly high: string }[];
  readonly ports: PortSet;
  has(text: string): boolean;
}

interface PortSet {
  /** By protocol in lower case; sorted and apart from each other. */
  readonly byProtocol: ReadonlyMap<string, readonly { readonly low: number; readonly high: number }[]>;
  has(port: bigint, protocol: string): boolean;
}

export interface AddressPlaces {
  /** Undefined for a text that is no address, and for an address in no network. */
  of(text: string): MapValue | undefined;
}

/** A budget of steps, see `StepMeter`. */
export interface Steps {
  /** For one rule and record, or for one row of a query. */
  readonly most: number;
  /** Whether work that takes longer than a plain pass counts for more. */
  readonly isWeighed: boolean;
  beginRecord(spent?: number): void;
  take(count: number): void;
  takeWork(count: number): void;
  takeCharacters(count: number, weight?: number): void;
  takeMember(): void;
  takeShallow(value: Value, weight?: number): void;
  takeDeep(value: Value, weight?: number): void;
}
