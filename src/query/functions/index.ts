// All functions and aggregates by name.

import type { AggregateDeclaration, FunctionDeclaration } from '#query/model/function.ts';
import { addresses } from './addresses.ts';
import { aggregates } from './aggregates.ts';
import { conditions } from './conditions.ts';
import { conversion } from './conversion.ts';
import { dates } from './dates.ts';
import { lists } from './lists.ts';
import { numbers } from './numbers.ts';
import { fieldOfRow, rowFields } from './row-fields.ts';
import { secrets } from './secrets.ts';
import { strings } from './strings.ts';
import { joinedFields, writing } from './writing.ts';
import { xml } from './xml.ts';

export const functions: readonly FunctionDeclaration[] = [
  ...rowFields,
  ...conditions,
  ...conversion,
  ...secrets,
  ...strings,
  ...writing,
  ...numbers,
  ...dates,
  ...addresses,
  ...lists,
  ...xml,
];

export { aggregates };

/** Calls that stand in plans for functions that read the whole row; no text can write them. */
export const rowFunctions: readonly FunctionDeclaration[] = [fieldOfRow, joinedFields];

const byName = new Map(functions.flatMap((one) => [one.name, ...(one.aliases ?? [])].map((name) => [name, one])));
const aggregateByName = new Map(aggregates.map((one) => [one.name, one]));

export const functionNamed = (name: string): FunctionDeclaration | undefined => byName.get(name);

export const aggregateNamed = (name: string): AggregateDeclaration | undefined => aggregateByName.get(name);

export const isAggregateName = (name: string): boolean => aggregateByName.has(name);

export const knownFunctions = (): string[] => [...byName.keys()];

export const knownAggregates = (): string[] => [...aggregateByName.keys()];
