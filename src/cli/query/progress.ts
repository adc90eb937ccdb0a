// How far a query is: a line for each of its commands, drawn over again in place while it runs.

import type { Invocation } from '#cli/kit/command.ts';
import { clockText, countText } from '#cli/kit/output/numbers.ts';
import { cellsOf, columns, cut, printable } from '#cli/kit/output/text-table.ts';
import type { MessageCode } from '#cli/messages/index.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';
import type { QueryStatus } from './query-run.ts';

/** Also how long a query is left alone before anything is said about it. */
const PERIOD = Temporal.Duration.from({ milliseconds: 250 });
/** Where the terminal does not say. */
const TERMINAL = { columns: 80, rows: 24 };
const MIN_COMMAND_CELLS = 10;
/** Between two columns. */
const GAP = 2;

type CommandState = QueryStatus['commands'][number];

const STATUSES: Readonly<Record<CommandState['status'], MessageCode>> = {
  Waiting: 'query-status-waiting',
  Running: 'query-status-running',
  Finalizing: 'query-status-finalizing',
  End: 'query-status-end',
};

export class QueryProgress implements Disposable {
  readonly #invocation: Pick<Invocation, 'streams' | 'translator'>;
  readonly #clock: Clock;
  readonly #begun: Temporal.Instant;
  readonly #drawing: Disposable | undefined;
  #status: QueryStatus | undefined;
  #drawnLines = 0;

  constructor(invocation: Pick<Invocation, 'streams' | 'translator'>, clock = systemClock) {
    this.#invocation = invocation;
    this.#clock = clock;
    this.#begun = clock.now();
    const isSeen = invocation.streams.stderr.isTTY === true;
    this.#drawing = isSeen ? new Periodic({ clock, period: PERIOD, work: () => this.#draw() }) : undefined;
  }

  saw(status: QueryStatus): void {
    this.#status = status;
  }

  /** Stops drawing without clearing: the terminal is closed. */
  leave(): void {
    this.#drawing?.[Symbol.dispose]();
    this.#drawnLines = 0;
  }

  [Symbol.dispose](): void {
    const before = this.#overwriting();
    this.leave();
    if (before !== '') this.#invocation.streams.stderr.write(before);
  }

  #draw(): void {
    if (!this.#status) return;
    const lines = this.#lines(this.#status);
    this.#invocation.streams.stderr.write(`${this.#overwriting() || '\r\x1b[J'}${lines.join('\n')}`);
    this.#drawnLines = lines.length;
  }

  /** Moves back to the first drawn line and clears from there. */
  #overwriting(): string {
    if (this.#drawnLines === 0) return '';
    return `\r${this.#drawnLines > 1 ? `\x1b[${this.#drawnLines - 1}A` : ''}\x1b[J`;
  }

  #lines(status: QueryStatus): string[] {
    const { translator, streams } = this.#invocation;
    const width = (streams.stderr.columns || TERMINAL.columns) - 1;
    const states = [
      ...status.commands.map((state) => ({ ...state, command: printable(state.command) })),
      ...status.sub_queries.flatMap(({ commands }) =>
        commands.map((state) => ({ ...state, command: `  ${printable(state.command)}` })),
      ),
    ];
    // A line that has scrolled off the screen cannot be redrawn.
    const most = Math.max((streams.stderr.rows ?? TERMINAL.rows) - 3, 1);
    const shown = states.slice(-most);
    const hidden = states.length - shown.length;
    const elapsed = clockText(Math.floor(this.#begun.until(this.#clock.now()).total('seconds')));
    return [
      ...(hidden > 0 ? [translator.text('query-commands-before', { count: countText(hidden) })] : []),
      ...this.#commandLines(shown, width),
      translator.text('query-progress', { elapsed, rows: countText(status.rows) }),
    ].map((line) => cut(line, width));
  }

  #commandLines(states: readonly CommandState[], width: number): string[] {
    const { text } = this.#invocation.translator;
    const facts = states.map(({ status, push_count }) => [text(STATUSES[status]), countText(push_count)]);
    const factCells = Math.max(...columns(facts, [false, true]).map(cellsOf));
    const commandCells = Math.max(width - factCells - GAP, MIN_COMMAND_CELLS);
    const rows = states.map(({ command }, index) => [cut(command, commandCells), ...(facts[index] ?? [])]);
    return columns(rows, [false, false, true]);
  }
}
