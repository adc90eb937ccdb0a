// A lock that many hold together or one holds alone, in the order in which they asked.

interface Waiter {
  readonly isAlone: boolean;
  grant(): void;
}

export class SharedLock {
  readonly #waiting: Waiter[] = [];
  #sharing = 0;
  #isAlone = false;

  /** Resolves to a hold, which is released by disposing of it. */
  async share(): Promise<Disposable> {
    await this.#turn(false);
    return this.#hold(() => {
      this.#sharing -= 1;
    });
  }

  /** Resolves when nothing else holds it. */
  async alone(): Promise<Disposable> {
    await this.#turn(true);
    return this.#hold(() => {
      this.#isAlone = false;
    });
  }

  async #turn(isAlone: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ isAlone, grant: resolve });
    this.#grant();
    await promise;
  }

  /** Each hold once, however often it is disposed of. */
  #hold(release: () => void): Disposable {
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        release();
        this.#grant();
      },
    };
  }

  #grant(): void {
    for (let [next] = this.#waiting; next && this.#isFreeFor(next); [next] = this.#waiting) {
      this.#waiting.shift();
      if (next.isAlone) this.#isAlone = true;
      else this.#sharing += 1;
      next.grant();
    }
  }

  #isFreeFor({ isAlone }: Waiter): boolean {
    return !this.#isAlone && (!isAlone || this.#sharing === 0);
  }
}
