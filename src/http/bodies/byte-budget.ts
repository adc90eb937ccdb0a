// The memory of all request bodies. One account cannot take all of it, and addresses without a key get very little.

import { noRoomForBody } from '#contract/errors.ts';

/** All unauthenticated bodies of one address. */
const MAX_OPEN_BYTES_PER_ADDRESS = 64 * 1024;
const SHARES = 4;

/** The owner of a body: an account, or an address without a key. */
type BodyOwner = { readonly account: string } | { readonly address: string };

/** Memory reserved for one body, until disposed. */
export interface BodyPermit extends Disposable {
  /** Throws 429 when there is no memory for this many more bytes. */
  add(bytes: number): void;
  /** Throws 429 when no memory is left. */
  requireRoom(): void;
}

interface Share {
  heldBytes: number;
  /** Oldest first. */
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
    // The oldest body of an owner may exceed the share and continues; later ones are refused.
    const [first] = share.bodies;
    return first === body;
  }
}
