// The settings of a shell, and the query options they result in.

import type { Invocation } from '#cli/kit/command.ts';
import { type QueryOptions, queryOptionsOf } from '#cli/query/options.ts';

/** A pager program holds all rows it has read. */
const MAX_PAGED_ROWS = 100_000;

export class ShellSettings {
  readonly #invocation: Pick<Invocation, 'flags' | 'lists' | 'streams'>;
  format: string | undefined;
  /** Used for the next query only: a further query would overwrite the file. */
  output: string | undefined;
  isTimed: boolean;

  constructor(invocation: Pick<Invocation, 'flags' | 'lists' | 'streams'>) {
    this.#invocation = invocation;
    this.format = invocation.flags.format;
    this.isTimed = invocation.streams.stderr.isTTY === true;
  }

  /** Throws a UsageError for a wrong flag. */
  queryOptionsFor(text: string): QueryOptions {
    const { lists, streams } = this.#invocation;
    const { format, output } = this;
    const flags = { ...(format === undefined ? {} : { format }), ...(output === undefined ? {} : { output }) };
    const options = queryOptionsOf({ words: [text], flags, lists, streams });
    this.output = undefined;
    return this.isPaged(options) ? { ...options, limit: MAX_PAGED_ROWS } : options;
  }

  /** Whether a table is shown on a terminal. */
  isPaged({ format, output }: QueryOptions): boolean {
    return format === 'table' && output === undefined && this.#invocation.streams.stdout.isTTY === true;
  }
}
