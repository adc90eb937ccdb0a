// Texts of the metadata database under the master secret. A sealed text can neither be compared nor sought, so a keyed hash,
// its mark, stands beside it where equal ones must be found.

import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { openBox, sealBox } from '#vault/box.ts';

/** Sealing uses the secret itself; hashing must not. */
const MARK_KEY = 'vigil marks';
const MARK_KEY_BYTES = 32;

export class Sealing {
  readonly #secret: KeyObject;
  readonly #markKey: Buffer;

  constructor(secret: KeyObject) {
    this.#secret = secret;
    this.#markKey = Buffer.from(hkdfSync('sha256', secret, '', MARK_KEY, MARK_KEY_BYTES));
  }

  /** In base64. The text opens under the same label alone. */
  seal(text: string, label: string): string {
    return sealBox(this.#secret, Buffer.from(text), label).toString('base64');
  }

  /** Undefined when the secret, the label or a byte is another one. */
  open(box: string, label: string): string | undefined {
    return openBox(this.#secret, Buffer.from(box, 'base64'), label)?.toString();
  }

  /** The same for equal texts of one purpose. Nothing about the text can be told from it without the secret. */
  mark(text: string, purpose: string): string {
    return createHmac('sha256', this.#markKey).update(`${purpose}\0${text}`).digest('hex');
  }
}
