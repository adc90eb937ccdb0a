// Reads one statement from a terminal: keys edit it, Enter ends a complete one.

import type { Translator } from '#cli/kit/translator.ts';
import { completed } from '#cli/shell/completion/completion.ts';
import type { History } from '#cli/shell/history/history.ts';
import { HistorySearch } from '#cli/shell/history/history-search.ts';
import { endsInBackslash, isWhole, withoutBackslash } from '#cli/shell/statements.ts';
import { type Edited, EMPTY, edited, holding, inserted } from './editor.ts';
import type { Key, KeyName } from './keys.ts';
import { choiceRows, type View, viewOf } from './prompt-view.ts';
import type { Terminal } from './terminal.ts';

interface PromptDeps {
  readonly terminal: Terminal;
  readonly history: History;
  readonly translator: Translator;
  /** The text that it begins with. */
  readonly initial: string;
  /** The candidates at the cursor, and the start of the name they complete. */
  complete(state: Edited): Promise<{ begin: number; candidates: readonly string[] }>;
}

export type Answer =
  | { readonly kind: 'statement'; readonly text: string; readonly isOneRow: boolean }
  /** Ctrl-C; the typed text is dropped. */
  | { readonly kind: 'interrupted'; readonly wasEmpty: boolean }
  | { readonly kind: 'ended' };

export const PROMPTS = ['vigil> ', '     > '] as const;

export async function promptStatement(deps: PromptDeps, until: AbortSignal): Promise<Answer> {
  const prompt = new Prompt(deps);
  using _ = deps.terminal.onResize(() => prompt.draw());
  prompt.draw();
  for (;;) {
    const key = await deps.terminal.key(until);
    if (!key) return prompt.ended();
    const answer = await prompt.take(key);
    if (answer) return answer;
  }
}

class Prompt {
  readonly #deps: PromptDeps;
  #state: Edited;
  #search: HistorySearch | undefined;

  constructor(deps: PromptDeps) {
    this.#deps = deps;
    this.#state = holding(EMPTY, deps.initial);
  }

  draw(): void {
    this.#deps.terminal.draw(this.#view());
  }

  ended(): Answer {
    this.#leave();
    return { kind: 'ended' };
  }

  /** An answer ends the statement. */
  async take(key: Key): Promise<Answer | undefined> {
    const ended = this.#search ? await this.#takeInSearch(this.#search, key) : await this.#takeKey(key);
    if (!ended) this.draw();
    return ended;
  }

  async #takeKey(key: Key): Promise<Answer | undefined> {
    if (!('name' in key)) {
      this.#state = inserted(this.#state, key.text);
      return undefined;
    }
    const { name } = key;
    if (name === 'enter') return this.#enter();
    if (name === 'interrupt') return this.#interrupted();
    if (name === 'end-of-input' && this.#state.text === '') return this.ended();
    if (name === 'tab') await this.#complete();
    else if (name === 'search-history') this.#search = new HistorySearch(this.#deps.history);
    else if (name === 'clear-screen') this.#deps.terminal.clear();
    else this.#state = edited(this.#state, deletes(name)) ?? this.#fromHistory(name);
    return undefined;
  }

  #enter(): Answer | undefined {
    const { text, cursor } = this.#state;
    if (!isWhole(text)) {
      if (cursor === text.length && endsInBackslash(text)) this.#state = holding(this.#state, withoutBackslash(text));
      this.#state = inserted(this.#state, '\n');
      return undefined;
    }
    this.#state = { ...this.#state, cursor: text.length };
    this.draw();
    const isOneRow = this.#view().rows.length === 1;
    this.#leave();
    return { kind: 'statement', text, isOneRow };
  }

  #interrupted(): Answer {
    const wasEmpty = this.#state.text === '';
    this.#leave();
    return { kind: 'interrupted', wasEmpty };
  }

  #fromHistory(name: KeyName): Edited {
    const { history } = this.#deps;
    const entry = name === 'up' ? history.older(this.#state.text) : name === 'down' ? history.newer() : undefined;
    return entry === undefined ? this.#state : holding(this.#state, entry);
  }

  async #complete(): Promise<void> {
    const { terminal, translator } = this.#deps;
    const { begin, candidates } = await this.#deps.complete(this.#state);
    const { state, choices } = completed(this.#state, begin, candidates);
    this.#state = state;
    if (choices.length === 0) return;
    const { rows, left } = choiceRows(choices, terminal.screen);
    const more = left > 0 ? [translator.text('shell-more-choices', { count: String(left) })] : [];
    this.#leave();
    terminal.write([...rows, ...more].map((row) => `${row}\r\n`).join(''));
  }

  /** Keys that are not part of a search end it and take its result. */
  async #takeInSearch(search: HistorySearch, key: Key): Promise<Answer | undefined> {
    if (search.take(key)) return undefined;
    this.#search = undefined;
    const isLeft = 'name' in key && (key.name === 'interrupt' || key.name === 'cancel');
    if (isLeft) return undefined;
    this.#state = holding(this.#state, search.found ?? this.#state.text);
    return await this.#takeKey(key);
  }

  #view(): View {
    const { terminal, translator } = this.#deps;
    if (!this.#search) return viewOf({ ...this.#state, prompts: PROMPTS }, terminal.screen);
    const { text, found } = this.#search;
    const code = found === undefined && text !== '' ? 'shell-search-nothing' : 'shell-search';
    const shown = found ?? '';
    return viewOf(
      { text: shown, cursor: shown.length, prompts: [translator.text(code, { text }), PROMPTS[1]] },
      terminal.screen,
    );
  }

  #leave(): void {
    this.#deps.terminal.leave(this.#view());
  }
}

/** Ctrl-D in a text deletes the letter after the cursor, as in other shells. */
const deletes = (name: KeyName): KeyName => (name === 'end-of-input' ? 'delete' : name);
