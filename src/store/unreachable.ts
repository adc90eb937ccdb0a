// The database cannot be reached, or does not answer in time: as its driver, the system and the server each say it.

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
/** The server ends the connection, or takes none: it stops, starts, is full, or stands by for another one. */
const SERVER_CODES = ['57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25P04', '25006'];
/** A statement was given up, waiting for a lock or at work; its connection goes on. */
const PATIENCE_CODES = ['55P03', '57014'];
const DRIVER_TEXTS =
  /^(Connection terminated|Client (was closed|has encountered)|Query read timeout|timeout (expired|exceeded))/;

/** Whoever asked may ask again: it was not the question. */
export class StoreUnreachable extends Error {
  constructor(cause: unknown) {
    super(wordsOf(cause), { cause });
  }
}

/** A commit was sent and its answer did not arrive: it has happened or not, and only the database knows. */
export class CommitUnanswered extends StoreUnreachable {
  readonly #look: () => Promise<boolean>;

  constructor(cause: unknown, look: () => Promise<boolean>) {
    super(cause);
    this.#look = look;
  }

  /** Asks the database, once the transaction has surely ended there. Throws where the database cannot be asked. */
  isCommitted(): Promise<boolean> {
    return this.#look();
  }
}

/** Undefined for an error that is the statement's own. */
export function unreachableBy(error: unknown): StoreUnreachable | undefined {
  if (error instanceof StoreUnreachable) return error;
  return isBreak(error) || isHostBudgetExceeded(error) ? new StoreUnreachable(error) : undefined;
}

/** Nothing more can be asked on the connection that said this. */
export function isBreak(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (SYSTEM_CODES.includes(code) || SERVER_CODES.includes(code) || /^08/.test(code)) return true;
  return code === '' && DRIVER_TEXTS.test(error.message);
}

const isHostBudgetExceeded = (error: unknown): boolean =>
  error instanceof Error && PATIENCE_CODES.includes(codeOf(error));

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Several addresses of one host fail together, each with its own words.
  if (cause instanceof AggregateError) return cause.errors.map(String).join('; ');
  return cause.message || codeOf(cause) || 'no answer';
}
