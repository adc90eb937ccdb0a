// Shows a table that does not fit on the screen, on a screen of its own: what was there before is there again afterwards.

import { cut } from '#cli/kit/text-table.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { countText } from '#cli/query/progress.ts';
import type { TablePage } from '#cli/query/rows-table.ts';
import type { Key } from './keys.ts';
import { FIRST, keyText, linesSeen, moved, seen, Table, type Window } from './pager-view.ts';
import type { Terminal } from './terminal.ts';

const OTHER_SCREEN = { on: '\x1b[?1049h', off: '\x1b[?1049l' } as const;
const REVERSED = { on: '\x1b[7m', off: '\x1b[27m' } as const;

export interface Paging {
  readonly terminal: Terminal;
  readonly translator: Translator;
  /** Of all pages. */
  readonly rows: number;
  readonly until: AbortSignal;
}

/** Writes what fits, and pages through what does not. */
export async function paged(pages: AsyncIterable<TablePage>, paging: Paging): Promise<void> {
  const { terminal } = paging;
  const source = pages[Symbol.asyncIterator]();
  const table = new Table();
  const first = await source.next();
  if (first.done) return;
  table.add(first.value);
  const { columns, rows } = terminal.screen;
  // The prompt and the line before it belong on the same screen.
  if (table.length < rows - 3 && table.cells < columns) {
    terminal.write([first.value.head, ...first.value.lines].map((line) => `${line}\n`).join(''));
    return;
  }
  const pager = new Pager({ ...paging, source, table });
  terminal.write(OTHER_SCREEN.on);
  try {
    await pager.run();
  } finally {
    terminal.write(OTHER_SCREEN.off);
    await source.return?.(undefined);
  }
}

interface PagerParts extends Paging {
  readonly source: AsyncIterator<TablePage>;
  readonly table: Table;
}

class Pager {
  readonly #parts: PagerParts;
  #window: Window = FIRST;
  #isWhole = false;
  #sought = '';
  #remark = '';

  constructor(parts: PagerParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { terminal } = this.#parts;
    using _ = terminal.onResize(() => this.#draw());
    for (;;) {
      await this.#fill(this.#window.top + 2 * linesSeen(terminal.screen));
      this.#draw();
      this.#remark = '';
      const key = await this.#key();
      const name = key && keyText(key);
      if (!key || name === 'q' || name === 'interrupt' || name === 'end-of-input') return;
      if (name === '/') await this.#ask();
      else if (name === 'n') await this.#seek(this.#window.top + 1, 1);
      else if (name === 'N') await this.#seek(this.#window.top - 1, -1);
      else {
        if (name === 'G' || name === 'end') await this.#fill(Number.POSITIVE_INFINITY);
        const { table } = this.#parts;
        this.#window = moved(this.#window, key, { table, screen: terminal.screen }) ?? this.#window;
      }
    }
  }

  /** Letters one by one, as they are commands here. */
  async #key(): Promise<Key | undefined> {
    const { terminal, until } = this.#parts;
    const key = await terminal.key(until);
    if (!key || 'name' in key) return key;
    const [first = '', ...others] = key.text;
    if (others.length > 0) terminal.putBack([{ ...key, text: others.join('') }]);
    return { ...key, text: first };
  }

  /** Until there are so many lines, or no more. */
  async #fill(lines: number): Promise<void> {
    const { source, table } = this.#parts;
    while (!this.#isWhole && table.length < lines) {
      const next = await source.next();
      if (next.done) this.#isWhole = true;
      else table.add(next.value);
    }
  }

  async #ask(): Promise<void> {
    const { terminal, until } = this.#parts;
    let text = '';
    for (;;) {
      this.#remark = `/${text}`;
      this.#draw();
      const key = await terminal.key(until);
      if (!key) return;
      if (!('name' in key)) text += key.text;
      else if (key.name === 'backspace' && text !== '') text = [...text].slice(0, -1).join('');
      else if (key.name === 'enter') break;
      else if (key.name === 'interrupt' || key.name === 'cancel' || key.name === 'backspace') {
        this.#remark = '';
        return;
      }
    }
    this.#remark = '';
    this.#sought = text || this.#sought;
    await this.#seek(this.#window.top, 1);
  }

  async #seek(from: number, step: 1 | -1): Promise<void> {
    const { table, translator } = this.#parts;
    if (this.#sought === '') return;
    let found = table.find(this.#sought, from, step);
    while (found === undefined && step === 1 && !this.#isWhole) {
      const looked = table.length;
      await this.#fill(looked + 1);
      found = table.find(this.#sought, looked, step);
    }
    if (found === undefined) this.#remark = translator.text('shell-not-found', { text: this.#sought });
    else this.#window = { ...this.#window, top: found };
  }

  #draw(): void {
    const { table, terminal } = this.#parts;
    const [head = '', ...lines] = seen(this.#window, table, terminal.screen);
    const status = `${REVERSED.on}${cut(this.#status(), terminal.screen.columns - 1)}${REVERSED.off}`;
    terminal.write(`\x1b[H\x1b[2J\x1b[1m${head}\x1b[22m\r\n${lines.join('\r\n')}\r\n${status}`);
  }

  #status(): string {
    const { table, terminal, translator, rows } = this.#parts;
    if (this.#remark !== '') return this.#remark;
    const last = Math.min(this.#window.top + linesSeen(terminal.screen), table.length);
    return translator.text('shell-page', {
      from: countText(this.#window.top + 1),
      to: countText(last),
      total: countText(rows),
    });
  }
}
