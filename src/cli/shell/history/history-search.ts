// Ctrl-R: looks back through the history for what is typed, older with every further Ctrl-R.

import type { Key } from '#cli/shell/terminal/keys.ts';
import type { History } from './history.ts';

export class HistorySearch {
  readonly #history: History;
  #text = '';
  #at: number | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  /** What is looked for. */
  get text(): string {
    return this.#text;
  }

  get found(): string | undefined {
    return this.#at === undefined ? undefined : this.#history.entries[this.#at];
  }

  /** Whether the key was meant for the search. */
  take(key: Key): boolean {
    if (!('name' in key)) this.#look(this.#text + key.text);
    else if (key.name === 'backspace') this.#look([...this.#text].slice(0, -1).join(''));
    else if (key.name === 'search-history') this.#at = this.#history.find(this.#text, this.#at) ?? this.#at;
    else return false;
    return true;
  }

  #look(text: string): void {
    this.#text = text;
    this.#at = text === '' ? undefined : this.#history.find(text);
  }
}
