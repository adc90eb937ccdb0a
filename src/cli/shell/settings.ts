// What was set in a shell, and what a query is asked for with it.

import type { Invocation } from '#cli/kit/command.ts';
import { type QueryOptions, queryOptionsOf } from '#cli/query/options.ts';

/** A pager holds what it has shown. */
const PAGED_ROWS = 100_000;

export class ShellSettings {
  readonly #invocation: Pick<Invocation, 'flags' | 'lists' | 'streams'>;
  format: string | undefined;
  /** For the next query alone: another would write over it. */
  output: string | undefined;
  isTimed: boolean;

  constructor(invocation: Pick<Invocation, 'flags' | 'lists' | 'streams'>) {
    this.#invocation = invocation;
    this.format = invocation.flags.format;
    this.isTimed = invocation.streams.stderr.isTTY === true;
  }

  /** Throws a Mistake where a flag is wrong. */
  queryOptionsFor(text: string): QueryOptions {
    const { lists, streams } = this.#invocation;
    const { format, output } = this;
    const flags = { ...(format === undefined ? {} : { format }), ...(output === undefined ? {} : { output }) };
    const options = queryOptionsOf({ words: [text], flags, lists, streams });
    this.output = undefined;
    return this.isPaged(options) ? { ...options, limit: PAGED_ROWS } : options;
  }

  /** Whether a table is shown on a terminal. */
  isPaged({ format, output }: QueryOptions): boolean {
    return format === 'table' && output === undefined && this.#invocation.streams.stdout.isTTY === true;
  }
}
