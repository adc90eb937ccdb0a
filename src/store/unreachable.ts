// Errors of a database that cannot be reached or does not answer in time, from the driver, the system and the server.

const SYSTEM_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
];
/** The server ends the connection or accepts none: it stops, starts, is full, or is a standby. */
const SERVER_CODES = ['57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25P04', '25006'];
/** A statement was cancelled while it ran or waited for a lock; its connection stays usable. */
const TIMEOUT_CODES = ['55P03', '57014'];
const DRIVER_TEXTS =
  /^(Connection terminated|Client (was closed|has encountered)|Query read timeout|timeout (expired|exceeded))/;

/** The statement itself was not at fault, so the caller may try again. */
export class StoreUnreachable extends Error {
  constructor(cause: unknown) {
    super(wordsOf(cause), { cause });
  }
}

/** A commit was sent and its answer did not arrive: only the database knows the outcome. */
export class CommitUnanswered extends StoreUnreachable {
  readonly #look: () => Promise<boolean>;

  constructor(cause: unknown, look: () => Promise<boolean>) {
    super(cause);
    this.#look = look;
  }

  /** Asks the database after the transaction has surely ended there. Throws when the database cannot be asked. */
  isCommitted(): Promise<boolean> {
    return this.#look();
  }
}

/** Undefined for an error of the statement itself. */
export function unreachableBy(error: unknown): StoreUnreachable | undefined {
  if (error instanceof StoreUnreachable) return error;
  return isBreak(error) || isLocalBudgetExceeded(error) ? new StoreUnreachable(error) : undefined;
}

/** The connection that reported this error is unusable. */
export function isBreak(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (SYSTEM_CODES.includes(code) || SERVER_CODES.includes(code) || /^08/.test(code)) return true;
  return code === '' && DRIVER_TEXTS.test(error.message);
}

/** The server has undone the transaction, because it and another one waited for each other: it may be repeated. */
export const isDeadlock = (error: unknown): boolean => error instanceof Error && codeOf(error) === '40P01';

/** The rows of a prepared statement have another type than when it was prepared; the connection goes on refusing it. */
export const isStalePlan = (error: unknown): boolean => error instanceof Error && codeOf(error) === '0A000';

const isLocalBudgetExceeded = (error: unknown): boolean =>
  error instanceof Error && TIMEOUT_CODES.includes(codeOf(error));

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Several addresses of one host fail together, each with its own message.
  if (cause instanceof AggregateError) return cause.errors.map(String).join('; ');
  return cause.message || codeOf(cause) || 'no answer';
}
