// The `vigil` command in this process: what it writes, its exit code, and a terminal that a test types on.

import { PassThrough, Readable } from 'node:stream';
import { main } from '#cli/main.ts';
import { until } from './until.ts';

export interface Captured {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliContext {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly stdin?: string | Uint8Array;
}

export async function runCli(args: readonly string[], context: CliContext = {}): Promise<Captured> {
  const { environment = {}, isTerminal = false, stdin = '' } = context;
  const stdout = new Capture(isTerminal);
  const stderr = new Capture(isTerminal);
  const exitCode = await main(args, environment, { stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

/** A terminal whose keys the test types. */
export class TestTerminal {
  readonly keyboard = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => this.#modes.push(isRaw),
  });
  readonly screen = new Capture(true);
  readonly #modes: boolean[] = [];
  #read = 0;

  get isRaw(): boolean {
    return this.#modes.at(-1) ?? false;
  }

  type(keys: string): void {
    this.keyboard.write(keys);
  }

  /** Waits for `expected`, and returns the output since the last call up to its end. The next call begins after it. */
  async until(expected: string): Promise<string> {
    const { since } = await until(
      () => ({ expected, since: this.screen.text.slice(this.#read) }),
      (shown) => shown.since.includes(expected),
    );
    const found = since.slice(0, since.indexOf(expected) + expected.length);
    this.#read += found.length;
    return found;
  }

  /** Resolves with the exit code. */
  start(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<number> {
    return main(args, environment, { stdin: this.keyboard, stdout: this.screen, stderr: this.screen });
  }
}

export class Capture extends PassThrough {
  readonly isTTY: boolean;
  /** The size of the terminal. */
  readonly columns = 100;
  readonly rows = 30;
  readonly #chunks: Buffer[] = [];

  constructor(isTerminal: boolean) {
    super();
    this.isTTY = isTerminal;
    this.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
  }

  /** Everything written, buffered chunks included. */
  get text(): string {
    for (let chunk = this.read(); chunk !== null; chunk = this.read());
    return Buffer.concat(this.#chunks).toString();
  }
}
