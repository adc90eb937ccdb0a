// A terminal that sends every key at once: raw mode, keys in turn, and a region at its end that is drawn over.

import { StringDecoder } from 'node:string_decoder';
import type { Keyboard, Stream } from '#cli/kit/command.ts';
import { Notifier } from '#kernel/notifier.ts';
import { type Key, KeyReader, PASTE_MARKS } from './keys.ts';
import type { Screen, View } from './prompt-view.ts';

/** Where the terminal does not say. */
const SCREEN: Screen = { columns: 80, rows: 24 };

export class Terminal implements Disposable {
  readonly #keyboard: Keyboard;
  readonly #out: Stream;
  readonly #reader = new KeyReader();
  readonly #decoder = new StringDecoder('utf8');
  readonly #keys: Key[] = [];
  readonly #changed = new Notifier();
  #isClosed = false;
  /** Rows of the region above the cursor. */
  #above = 0;

  constructor(keyboard: Keyboard, out: Stream) {
    this.#keyboard = keyboard;
    this.#out = out;
    keyboard.setRawMode?.(true);
    keyboard.on('data', this.#hear).on('end', this.#close).on('error', this.#close);
    out.write(PASTE_MARKS.on);
  }

  get screen(): Screen {
    return { columns: this.#out.columns || SCREEN.columns, rows: this.#out.rows || SCREEN.rows };
  }

  /** The next key; undefined when there will be none any more, or after `until`. */
  async key(until?: AbortSignal): Promise<Key | undefined> {
    while (this.#keys.length === 0 && !this.#isClosed && !until?.aborted) await this.#changed.wait(until);
    return until?.aborted ? undefined : this.#keys.shift();
  }

  /** Keys that were taken and are meant for whoever comes next. */
  putBack(keys: readonly Key[]): void {
    this.#keys.unshift(...keys);
  }

  /** Tells of a change of its size. */
  onResize(heard: () => void): Disposable {
    this.#out.on('resize', heard);
    return { [Symbol.dispose]: () => void this.#out.off('resize', heard) };
  }

  write(text: string): void {
    this.#out.write(text);
  }

  /** In place of what was drawn before. */
  draw({ rows, cursor }: View): void {
    const back = rows.length - 1 - cursor.row;
    const sideways = cursor.column > 0 ? `\x1b[${cursor.column}C` : '';
    this.write(`${this.#top()}${rows.join('\r\n')}${up(back)}\r${sideways}`);
    this.#above = cursor.row;
  }

  /** What was drawn stays, and what comes next begins below it. */
  leave({ rows, cursor }: View): void {
    const below = rows.length - 1 - cursor.row;
    this.write(`${below > 0 ? `\x1b[${below}B` : ''}\r\n`);
    this.#above = 0;
  }

  clear(): void {
    this.write('\x1b[H\x1b[2J');
    this.#above = 0;
  }

  [Symbol.dispose](): void {
    this.#keyboard.off('data', this.#hear).off('end', this.#close).off('error', this.#close);
    this.#keyboard.setRawMode?.(false);
    this.#keyboard.pause();
    this.#out.write(PASTE_MARKS.off);
    this.#close();
  }

  #top(): string {
    return `\r${up(this.#above)}\x1b[J`;
  }

  readonly #hear = (chunk: Buffer | string): void => {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    this.#keys.push(...this.#reader.read(text));
    this.#changed.notify();
  };

  readonly #close = (): void => {
    this.#isClosed = true;
    this.#changed.notify();
  };
}

const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '');
