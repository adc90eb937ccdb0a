// Failures of statements on ClickHouse, and the errors of the service that they become. Texts of the server stay in the cause.

import { logStoreFull, logStoreUnreachable, tooManyRequests } from '#contract/errors.ts';
import { Exhausted, TimeExceeded } from '#logs/log-store.ts';

/** The server has refused a statement. */
export class StatementFailed extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(`ClickHouse: ${text.slice(0, MAX_TEXT)}`);
    this.code = code;
  }
}

/** The server did not answer, or broke off: whether the statement was carried out is not known, unless it was never sent. */
export class NoAnswer extends Error {
  readonly server: string;
  readonly isUnsent: boolean;

  constructor(server: string, cause?: unknown) {
    super(`no answer of ${server}`, { cause });
    this.server = server;
    this.isUnsent = cause instanceof Error && 'code' in cause && UNSENT.includes(String(cause.code));
  }
}

/** Codes of connections that never came about. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const MAX_TEXT = 2000;

/** Of a statement that the account has no right to. */
export const ACCESS_DENIED = 497;

/** Numbers of the server's errors. */
const CODES = {
  timeoutExceeded: 159,
  tooManySimultaneousQueries: 202,
  memoryLimitExceeded: 241,
  notEnoughSpace: 243,
  tooManyParts: 252,
} as const;

/** The disk of the server, named by the operating system. */
const NO_SPACE = /no space left on device|errno: 28\b/i;

const RETRY_SECONDS = 1;

/** The error that a failed statement is answered with. */
export function answerOf(error: unknown): unknown {
  if (error instanceof NoAnswer) return Object.assign(logStoreUnreachable(error.server), { cause: error });
  if (!(error instanceof StatementFailed)) return error;
  if (isFull(error)) return Object.assign(logStoreFull(), { cause: error });
  if (isBusy(error)) return Object.assign(tooManyRequests(RETRY_SECONDS), { cause: error });
  if (error.code === CODES.timeoutExceeded) {
    return new TimeExceeded('a statement on the log store took longer than logs-time allows', { cause: error });
  }
  if (error.code === CODES.memoryLimitExceeded) {
    return new Exhausted('memory of ClickHouse is exhausted', { cause: error, isMovable: false });
  }
  return error;
}

const isFull = ({ code, message }: StatementFailed): boolean => code === CODES.notEnoughSpace || NO_SPACE.test(message);

const isBusy = ({ code }: StatementFailed): boolean =>
  code === CODES.tooManyParts || code === CODES.tooManySimultaneousQueries;

/** Runs work on the server with its failures as errors of the service. */
export async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw answerOf(error);
  }
}
