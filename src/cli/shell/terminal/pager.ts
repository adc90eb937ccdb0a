// Shows a table that does not fit on the screen in the program that $PAGER names, `less` where it is not set. The program
// reads the aligned table from its standard input, as `vigil query --format table` writes it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Invocation } from '#cli/kit/command.ts';
import { codeOf } from '#cli/kit/failures/failure.ts';
import type { Interruption } from '#cli/kit/interruption.ts';
import { cellsOf } from '#cli/kit/output/text-table.ts';
import { type TablePage, textOfPages } from '#cli/query/rows-table.ts';
import type { Screen } from './prompt-view.ts';
import type { Terminal } from './terminal.ts';

/** Says nothing where there is no `less`; a name in $PAGER that is none is reported by the system's shell. */
const DEFAULT_PAGER = 'command -v less >/dev/null || exit 127; exec less';

/** Exit codes of the system's shell: the program cannot be executed, or does not exist. */
const NOT_STARTED: readonly unknown[] = [126, 127];

/** Reported to the writer when the pager is left before the last row. */
const CLOSED_PIPE = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/** The prompt, the line before it and the report of the query stay on the screen. */
const ROWS_BESIDE_TABLE = 3;

interface PagerDeps extends Pick<Invocation, 'environment' | 'streams'> {
  readonly terminal: Terminal;
  readonly interruption: Interruption;
}

/** Prints a table that fits on the screen, and any table where there is no pager. Each call of `pages` begins at the first row. */
export async function showTable(pages: () => AsyncIterable<TablePage>, deps: PagerDeps): Promise<void> {
  const { terminal, environment, streams, interruption } = deps;
  const first = await firstOf(pages());
  if (!first || fits(first, terminal.screen)) return terminal.write(first ? textOf(first) : '');
  const command = environment.PAGER ?? DEFAULT_PAGER;
  if (command !== '' && (await page(textOfPages(pages()), command, deps))) return;
  await pipeline(Readable.from(textOfPages(pages())), streams.stdout, { end: false, signal: interruption.signal });
}

async function firstOf(pages: AsyncIterable<TablePage>): Promise<TablePage | undefined> {
  for await (const page of pages) return page;
  return undefined;
}

/** A page that fits is the only one: a page has more rows than a screen. */
const fits = ({ head, lines }: TablePage, { columns, rows }: Screen): boolean =>
  lines.length < rows - ROWS_BESIDE_TABLE && [head, ...lines].every((line) => cellsOf(line) < columns);

const textOf = ({ head, lines }: TablePage): string => `${[head, ...lines].join('\n')}\n`;

/** False where the program could not be started. */
async function page(
  text: AsyncIterable<string>,
  command: string,
  { environment, terminal, interruption }: PagerDeps,
): Promise<boolean> {
  using _terminal = terminal.lend();
  using _signals = interruption.ignoreCtrlC();
  // Lines are cut rather than wrapped, unless $LESS says otherwise.
  const env = { LESS: '-S', ...environment };
  const pager = spawn(command, { shell: true, env, stdio: ['pipe', 'inherit', 'inherit'] });
  const stop = () => pager.kill();
  interruption.signal.addEventListener('abort', stop);
  try {
    // The terminal is taken back only after the pager has ended, also when fetching rows fails.
    const [written] = await Promise.allSettled([write(text, pager.stdin), once(pager, 'close')]);
    if (written.status === 'rejected') throw written.reason;
    return pager.pid !== undefined && !NOT_STARTED.includes(pager.exitCode);
  } finally {
    interruption.signal.removeEventListener('abort', stop);
  }
}

async function write(text: AsyncIterable<string>, stdin: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(Readable.from(text), stdin);
  } catch (error) {
    if (!CLOSED_PIPE.includes(codeOf(error))) throw error;
  }
}
