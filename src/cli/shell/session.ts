// The shell on a terminal: reads and runs statements until the user leaves.

import type { Client } from '#cli/kit/client.ts';
import type { Invocation, Keyboard } from '#cli/kit/command.ts';
import { errorText, ServiceError } from '#cli/kit/failures/failure.ts';
import { findingLines, findingWords, inOrder, type TextFindings } from '#cli/kit/failures/findings.ts';
import { Interruption } from '#cli/kit/interruption.ts';
import { executeQuery } from '#cli/query/execution.ts';
import { productManifest } from '#docs/product.ts';
import { cellsOf } from '#kernel/text/cells.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { KnownNames } from './completion/known-names.ts';
import { completionsAt } from './completion/shell-completion.ts';
import { HistoryFile } from './history/history-file.ts';
import { ShellSettings } from './settings.ts';
import { runShellCommand, type Shell } from './shell-commands.ts';
import { isShellCommand } from './statements.ts';
import { caretRow } from './terminal/carets.ts';
import type { Key } from './terminal/keys.ts';
import { showTable } from './terminal/pager.ts';
import { type Answer, PROMPTS, promptStatement } from './terminal/prompt.ts';
import { Terminal } from './terminal/terminal.ts';

export async function runSession(invocation: Invocation, client: Client, keyboard: Keyboard): Promise<number> {
  const { translator, note, streams } = invocation;
  using interruption = new Interruption();
  note(translator.text('shell-welcome', { version: productManifest().version, url: client.url }));
  using terminal = new Terminal(keyboard, streams.stdout);
  await new Session({ invocation, client, terminal, interruption }).run();
  return interruption.exitCode ?? 0;
}

interface SessionDeps {
  readonly invocation: Invocation;
  readonly client: Client;
  readonly terminal: Terminal;
  readonly interruption: Interruption;
}

type Statement = Extract<Answer, { kind: 'statement' }>;

class Session {
  /** What a refused statement should read like. */
  #offered = '';
  readonly #deps: SessionDeps;
  readonly #shell: Shell;
  readonly #historyFile: HistoryFile;

  constructor(deps: SessionDeps) {
    const { invocation, client } = deps;
    const { translator, print, note, environment } = invocation;
    const settings = new ShellSettings(invocation);
    // Wrong flags are reported before the first prompt.
    const names = new KnownNames(client, settings.queryOptionsFor('').params);
    this.#deps = deps;
    this.#historyFile = HistoryFile.open(environment, (text) => client.holdsKey(text));
    this.#shell = { client, names, settings, history: this.#historyFile.history, translator, print, note };
  }

  async run(): Promise<void> {
    const { terminal, interruption } = this.#deps;
    const { translator, note, history } = this.#shell;
    const complete = (state: Parameters<typeof completionsAt>[0]) => completionsAt(state, this.#shell);
    let isWarned = false;
    for (;;) {
      const initial = this.#offered;
      this.#offered = '';
      const answer = await promptStatement({ terminal, history, translator, complete, initial }, interruption.signal);
      if (answer.kind === 'ended' || (answer.kind === 'interrupted' && answer.wasEmpty && isWarned)) return;
      isWarned = answer.kind === 'interrupted' && answer.wasEmpty;
      if (isWarned) note(translator.text('shell-leave-hint'));
      if (answer.kind === 'statement' && (await this.#runStatement(answer))) return;
      if (interruption.signal.aborted) return;
    }
  }

  /** True when the statement leaves the shell. */
  async #runStatement(statement: Statement): Promise<boolean> {
    const { translator, note } = this.#shell;
    const { text } = statement;
    if (text.trim() === '') return false;
    const failure = this.#historyFile.add(text);
    if (failure) note(translator.text('shell-history-unwritable', failure));
    try {
      if (isShellCommand(text)) return await runShellCommand(text, this.#shell);
      await this.#runQuery(statement);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof ServiceError)) throw error;
      note(`vigil: ${errorText(error, translator)}`);
    }
    return false;
  }

  /** Ctrl-C cancels the query; a second one does not wait for its end. */
  async #runQuery(statement: Statement): Promise<void> {
    const { terminal, interruption, invocation } = this.#deps;
    const { environment, streams } = invocation;
    const { client, settings, translator } = this.#shell;
    const options = settings.queryOptionsFor(statement.text);
    const watch = new KeyWatch(terminal);
    const stop = {
      signal: AbortSignal.any([watch.stopped, interruption.signal]),
      get hasTerminal() {
        return interruption.hasTerminal;
      },
    };
    const note = (line: string) => watch.isLeft || this.#shell.note(line);
    const show = async (pages: Parameters<typeof showTable>[0]) => {
      await watch.end();
      await showTable(pages, { terminal, interruption, environment, streams });
    };
    const run = executeQuery({
      client,
      options,
      stop,
      translator,
      note,
      streams,
      isTimed: settings.isTimed,
      partShown: 'shell-part-shown',
      // The next prompt holds it, so that Enter runs it.
      offerReplacement: async (text) => {
        this.#offered = text;
        return false;
      },
      reportFindings: (findings) => this.#reportFindings(findings, statement),
      ...(settings.isPaged(options) ? { showTable: show } : {}),
    });
    try {
      await Promise.race([run, watch.left]);
    } finally {
      await watch.end();
    }
  }

  /** Marks errors and warnings below a statement of one row; otherwise repeats their lines. */
  #reportFindings(findings: TextFindings, { text, isOneRow }: Statement): void {
    const { translator, note } = this.#shell;
    const found = inOrder(findings);
    const carets = `${' '.repeat(cellsOf(PROMPTS[0]))}${caretRow(text, found)}`;
    const lines = isOneRow
      ? [carets, ...found.flatMap((one) => findingWords(one, findings, translator))]
      : findingLines(findings, text, translator);
    for (const line of lines) note(line);
  }
}

/** Reads keys while a query runs. Other keys than Ctrl-C belong to the next statement. */
class KeyWatch {
  readonly #terminal: Terminal;
  readonly #stop = new AbortController();
  readonly #over = new AbortController();
  readonly #leave = Promise.withResolvers<void>();
  readonly #typed: Key[] = [];
  readonly #watching: Promise<void>;
  isLeft = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#watching = this.#watch();
  }

  /** Aborted by the first Ctrl-C. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves with the second Ctrl-C. */
  get left(): Promise<void> {
    return this.#leave.promise;
  }

  async end(): Promise<void> {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    await this.#watching;
    this.#terminal.putBack(this.#typed);
  }

  async #watch(): Promise<void> {
    for (;;) {
      const key = await this.#terminal.key(this.#over.signal);
      if (!key) return;
      if (!('name' in key) || key.name !== 'interrupt') this.#typed.push(key);
      else if (this.#stop.signal.aborted) {
        this.isLeft = true;
        this.#leave.resolve();
      } else this.#stop.abort();
    }
  }
}
