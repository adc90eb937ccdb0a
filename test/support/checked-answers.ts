// Holds every JSON answer of every service that runs in a test's process against the declaration of its operation. Loaded
// before each test file; a test whose service answers otherwise than declared fails, whatever else it looks at. Files share
// a process, so the listener is installed once in each.

import { type IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, expect } from 'vitest';
import type { HeardAnswer } from './answer-errors.ts';

interface Listener {
  /** Answers heard before the declarations were loaded, which most test files never need. */
  readonly waiting: HeardAnswer[];
  readonly errors: string[];
  errorsOf?: (answer: HeardAnswer) => readonly string[];
}

const LISTENER = Symbol.for('vigil.checked-answers');
// The one object that all files of a process see.
const shared = globalThis as { [LISTENER]?: Listener };
const listener = shared[LISTENER] ?? installListener();

function installListener(): Listener {
  const installed: Listener = { waiting: [], errors: [] };
  shared[LISTENER] = installed;
  listen(ServerResponse.prototype, installed);
  return installed;
}

afterEach(expectNoErrors);
afterAll(expectNoErrors);

async function expectNoErrors(): Promise<void> {
  if (listener.waiting.length > 0) listener.errorsOf ??= await loadDeclarations();
  for (const answer of listener.waiting.splice(0)) hear(answer, listener);
  expect(listener.errors.splice(0).slice(0, 20), 'answers that are not as their operations declare them').toEqual([]);
}

async function loadDeclarations() {
  const { answerErrors } = await import('./answer-errors.ts');
  const endpoints = (await import('#resources/index.ts')).allEndpoints();
  return (answer: HeardAnswer) => answerErrors(answer, endpoints);
}

function hear(answer: HeardAnswer, { errorsOf, errors, waiting }: Listener): void {
  if (errorsOf) errors.push(...errorsOf(answer));
  else waiting.push(answer);
}

/** A service's answers pass through here; those of other servers in a test have no request id. */
function listen(prototype: ServerResponse, heardBy: Listener): void {
  const { write, end } = prototype;
  const parts = new WeakMap<ServerResponse, Buffer[]>();
  const keep = (response: ServerResponse, chunk: unknown) => {
    if (!isCheckedJson(response) || (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))) return;
    const kept = parts.get(response) ?? [];
    parts.set(response, [...kept, Buffer.from(chunk as string)]);
  };
  prototype.write = function (this: ServerResponse, ...args: unknown[]) {
    keep(this, args[0]);
    return write.apply(this, args as Parameters<typeof write>);
  };
  prototype.end = function (this: ServerResponse, ...args: unknown[]) {
    keep(this, args[0]);
    const text = parts.get(this);
    if (text) hear({ ...askedIn(this.req), ...facts(this), text: Buffer.concat(text).toString() }, heardBy);
    return end.apply(this, args as Parameters<typeof end>);
  };
}

const facts = (response: ServerResponse) => ({
  status: response.statusCode,
  contentType: String(response.getHeader('content-type') ?? ''),
});

const askedIn = ({ method = '', url = '' }: IncomingMessage) => ({ method, url });

const isCheckedJson = (response: ServerResponse) =>
  response.hasHeader('x-request-id') && facts(response).contentType.startsWith('application/json');
