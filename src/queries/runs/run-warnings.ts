// Warnings that the runs of a query have found, each once: a phase may have several runs, and a retry runs it again.

import { isDeepStrictEqual } from 'node:util';
import type { QueryWarning } from '#query/model/query-error.ts';

export class RunWarnings {
  #all: readonly QueryWarning[] = [];
  #kept: readonly QueryWarning[] = [];

  get all(): readonly QueryWarning[] {
    return this.#all;
  }

  add(warning: QueryWarning): void {
    if (!this.#all.some((known) => isDeepStrictEqual(known, warning))) this.#all = [...this.#all, warning];
  }

  /** A phase has ended: its warnings and those before it are kept. */
  keep(): void {
    this.#kept = this.#all;
  }

  /** Before a retry, which finds the others again where they still hold. */
  reset(): void {
    this.#all = this.#kept;
  }
}
