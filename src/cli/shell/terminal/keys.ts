// Parses the input of a terminal in raw mode into keys. Sequences may arrive in pieces, and pasted text arrives between
// marks (bracketed paste): none of it is a key.

const NAMED = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'end-of-input',
  '\x05': 'end',
  '\x06': 'right',
  '\x07': 'cancel',
  '\x0b': 'cut-after',
  '\x0c': 'clear-screen',
  '\x0e': 'down',
  '\x10': 'up',
  '\x12': 'search-history',
  '\x15': 'cut-before',
  '\x17': 'cut-word',
  '\x19': 'put-back',
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1b[C': 'right',
  '\x1b[D': 'left',
  '\x1bOA': 'up',
  '\x1bOB': 'down',
  '\x1bOC': 'right',
  '\x1bOD': 'left',
  '\x1b[H': 'home',
  '\x1b[F': 'end',
  '\x1bOH': 'home',
  '\x1bOF': 'end',
  '\x1b[1~': 'home',
  '\x1b[4~': 'end',
  '\x1b[7~': 'home',
  '\x1b[8~': 'end',
  '\x1b[3~': 'delete',
  '\x1b[1;5C': 'word-right',
  '\x1b[1;5D': 'word-left',
  '\x1b[1;3C': 'word-right',
  '\x1b[1;3D': 'word-left',
  '\x1bf': 'word-right',
  '\x1bb': 'word-left',
  '\x1bd': 'cut-word-after',
  '\x1b\x7f': 'cut-word',
  '\x1b\r': 'new-line',
  '\x1b\n': 'new-line',
  '\x1b<': 'first',
  '\x1b>': 'last',
} as const;

export type KeyName = (typeof NAMED)[keyof typeof NAMED] | 'unknown';

export type Key =
  | { readonly name: KeyName }
  /** Typed letters, one or more, or a pasted text. */
  | { readonly text: string; readonly isPasted: boolean };

export const PASTE_MARKS = { on: '\x1b[?2004h', off: '\x1b[?2004l' } as const;
const PASTE_BEGIN = '\x1b[200~';
const PASTE_END = '\x1b[201~';

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send them
const TOKEN = /\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO[A-Z]|\x1b[^[O\x1b]|[\x00-\x1a\x1c-\x1f\x7f]|[^\x00-\x1f\x7f]+/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send them
const BEGUN = /^\x1b(?:\[[0-9;?]*[ -/]*|O)?$/;

export class KeyReader {
  #held = '';

  /** The complete keys of the input so far. */
  read(input: string): Key[] {
    let rest = this.#held + input;
    this.#held = '';
    const keys: Key[] = [];
    while (rest !== '') {
      if (rest.startsWith(PASTE_BEGIN)) {
        const end = rest.indexOf(PASTE_END);
        if (end === -1) break;
        keys.push(pasted(rest.slice(PASTE_BEGIN.length, end)));
        rest = rest.slice(end + PASTE_END.length);
        continue;
      }
      TOKEN.lastIndex = 0;
      const token = TOKEN.exec(rest)?.[0];
      if (token === undefined) {
        if (BEGUN.test(rest)) break;
        // An escape without a known sequence.
        rest = rest.slice(1);
        continue;
      }
      keys.push(keyOf(token));
      rest = rest.slice(token.length);
    }
    this.#held = rest;
    return keys;
  }
}

function keyOf(token: string): Key {
  if (Object.hasOwn(NAMED, token)) return { name: NAMED[token as keyof typeof NAMED] };
  return token.charCodeAt(0) < 0x20 || token === '\x7f' ? { name: 'unknown' } : { text: token, isPasted: false };
}

/** Terminals send a carriage return for every line end. */
const pasted = (text: string): Key => ({ text: text.replace(/\r\n?/g, '\n'), isPasted: true });
