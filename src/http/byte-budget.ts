// The memory that bodies of requests take together. One account cannot take it all, and addresses that have shown no key
// get almost nothing of it.

import { noRoomForBody } from '#contract/errors.ts';

/** Of all unauthenticated bodies of one address. */
export const MAX_OPEN_BYTES_PER_ADDRESS = 64 * 1024;
const SHARES = 4;

/** Whose body it is: that of an account, or of an address that has shown no key. */
export type BodyOwner = { readonly account: string } | { readonly address: string };

/** What one body takes, until it is disposed of. */
export interface BodyPermit extends Disposable {
  /** Refuses with 429 where there is no room for so many bytes more. */
  add(bytes: number): void;
  /** Refuses with 429 where there is no room for anything. */
  requireRoom(): void;
}

interface Share {
  heldBytes: number;
  /** In the order in which they began. */
  readonly bodies: Set<object>;
}

export class ByteBudget {
  readonly #limitBytes: number;
  readonly #shares = new Map<string, Share>();
  #heldBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  open(owner: BodyOwner): BodyPermit {
    const key = JSON.stringify(owner);
    const share = this.#shares.get(key) ?? { heldBytes: 0, bodies: new Set() };
    this.#shares.set(key, share);
    const body = {};
    share.bodies.add(body);
    let held = 0;
    const hasRoom = (bytes: number) =>
      this.#heldBytes + bytes <= this.#limitBytes && this.#isWithinShare(owner, share, body, bytes);
    return {
      requireRoom: () => {
        if (!hasRoom(1)) throw noRoomForBody();
      },
      add: (bytes) => {
        if (!hasRoom(bytes)) throw noRoomForBody();
        held += bytes;
        share.heldBytes += bytes;
        this.#heldBytes += bytes;
      },
      [Symbol.dispose]: () => {
        this.#heldBytes -= held;
        share.heldBytes -= held;
        held = 0;
        share.bodies.delete(body);
        if (share.bodies.size === 0) this.#shares.delete(key);
      },
    };
  }

  #isWithinShare(owner: BodyOwner, share: Share, body: object, bytes: number): boolean {
    const total = share.heldBytes + bytes;
    if ('address' in owner) return total <= MAX_OPEN_BYTES_PER_ADDRESS;
    if (total <= this.#limitBytes / SHARES) return true;
    // The first one began alone: it goes on, and those that came after it find no room.
    const [first] = share.bodies;
    return first === body;
  }
}
