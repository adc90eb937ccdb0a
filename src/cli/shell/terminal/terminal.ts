// A terminal in raw mode: keys one by one, and a region at the end of the screen that is redrawn in place.

import { StringDecoder } from 'node:string_decoder';
import type { Keyboard, Stream } from '#cli/kit/command.ts';
import { Notifier } from '#runtime/notifier.ts';
import { type Key, KeyReader, PASTE_MARKS } from './keys.ts';
import type { Screen, View } from './prompt-view.ts';

/** For a terminal that does not report its size. */
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
    this.#attach();
  }

  get screen(): Screen {
    return { columns: this.#out.columns || SCREEN.columns, rows: this.#out.rows || SCREEN.rows };
  }

  /** The next key; undefined at the end of input, or after `until`. */
  async key(until?: AbortSignal): Promise<Key | undefined> {
    while (this.#keys.length === 0 && !this.#isClosed && !until?.aborted) await this.#changed.wait(until);
    return until?.aborted ? undefined : this.#keys.shift();
  }

  /** Keys that were read and belong to the next reader. */
  putBack(keys: readonly Key[]): void {
    this.#keys.unshift(...keys);
  }

  onResize(heard: () => void): Disposable {
    this.#out.on('resize', heard);
    return { [Symbol.dispose]: () => void this.#out.off('resize', heard) };
  }

  write(text: string): void {
    this.#out.write(text);
  }

  /** Replaces the region drawn before. */
  draw({ rows, cursor }: View): void {
    const back = rows.length - 1 - cursor.row;
    const sideways = cursor.column > 0 ? `\x1b[${cursor.column}C` : '';
    this.write(`${this.#top()}${rows.join('\r\n')}${up(back)}\r${sideways}`);
    this.#above = cursor.row;
  }

  /** The drawn region stays on the screen; further output begins below it. */
  leave({ rows, cursor }: View): void {
    const below = rows.length - 1 - cursor.row;
    this.write(`${below > 0 ? `\x1b[${below}B` : ''}\r\n`);
    this.#above = 0;
  }

  clear(): void {
    this.write('\x1b[H\x1b[2J');
    this.#above = 0;
  }

  /** Leaves keys and screen to another program until the result is disposed. */
  lend(): Disposable {
    this.#detach();
    return { [Symbol.dispose]: () => this.#attach() };
  }

  [Symbol.dispose](): void {
    this.#detach();
    this.#close();
  }

  #attach(): void {
    this.#keyboard.setRawMode?.(true);
    this.#keyboard.on('data', this.#hear).on('end', this.#close).on('error', this.#close);
    this.#keyboard.resume();
    this.#out.write(PASTE_MARKS.on);
  }

  #detach(): void {
    this.#keyboard.off('data', this.#hear).off('end', this.#close).off('error', this.#close);
    this.#keyboard.setRawMode?.(false);
    this.#keyboard.pause();
    this.#out.write(PASTE_MARKS.off);
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
