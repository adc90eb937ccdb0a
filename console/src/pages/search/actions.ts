// What can be done with a value or a field from anywhere on the page.

import { createContext, use } from 'react';
import type { FieldValue, FilterKind, FilterTarget } from '#console/query-text/edits.ts';
import type { Row } from '#console/results/row.ts';

export interface SearchActions {
  /** Adds a condition to the query and runs it. */
  filter(kind: FilterKind, value: FieldValue, target: FilterTarget): void;
  readonly columns: readonly string[];
  setColumns(columns: readonly string[] | undefined): void;
  /** Shows the records of the same table around a row. */
  showContext(row: Row, milliseconds: number): void;
}

const none = () => undefined;

const ActionsContext = createContext<SearchActions>({ filter: none, columns: [], setColumns: none, showContext: none });

export const ActionsProvider = ActionsContext.Provider;
export const useActions = (): SearchActions => use(ActionsContext);
