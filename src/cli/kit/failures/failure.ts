// Errors as texts for people and as exit codes: 2 for wrong arguments or settings, 1 for every other failure.

import { printable } from '#cli/kit/output/text-table.ts';
import { isMessageCode, type Translator } from '#cli/kit/translator.ts';
import type { MessageCode } from '#cli/messages/index.ts';
import type { ApiError } from '#contract/errors.ts';
import { maskDatabaseUser } from '#contract/secret-names.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { StoreUnreachable } from '#store/unreachable.ts';

export const FAILED = 1;
export const WRONG_USE = 2;

/** An error answer of the service. Its text is the contract's, in every language. */
export class ServiceError extends Error {
  readonly code: string;
  /** Fields of the answer beside code and message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** An answer carries no kind, so its row is known by code and message. */
  is({ code, message }: ApiError): boolean {
    return this.code === code && this.message === message;
  }
}

/** Codes of errors that are caused by the state of the system, not by arguments or settings. */
const STATES: readonly MessageCode[] = [
  'audit-head-foreign',
  'audit-key-foreign',
  'audit-nothing-lost',
  'broken-off',
  'cannot-listen',
  'cannot-read',
  'cannot-write',
  'data-folder-in-use',
  'database-newer',
  'database-unfit',
  'database-not-installed',
  'disk-full',
  'demo-database-in-use',
  'demo-folder-in-use',
  'demo-unfinished',
  'folder-not-installed',
  'import-broken-off',
  'import-shrunk',
  'keys-folder-open',
  'log-store-denies',
  'log-store-foreign',
  'log-store-forgets',
  'log-store-lost-shard',
  'log-store-no-cluster',
  'log-store-no-database',
  'log-store-refuses-user',
  'log-store-replicated',
  'log-store-stricter',
  'log-store-too-old',
  'log-store-twice',
  'log-store-unbounded',
  'logs-kept-elsewhere',
  'node-name-in-use',
  'logs-lost',
  'logs-not-here',
  'logs-on-clickhouse',
  'master-secret-foreign',
  'move-failed',
  'no-master-account',
  'no-such-account',
  'no-such-rule',
  'no-such-schedule',
  'no-such-table',
  'not-vigil',
  'port-in-use',
  'query-ended',
  'query-failed',
  'rule-test-broken',
  'table-in-use',
  'unreachable',
  'witness-in-use',
  'witness-missing',
];

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof UsageError)) return FAILED;
  return STATES.some((code) => code === error.code) ? FAILED : WRONG_USE;
}

export function errorText(error: unknown, translator: Translator): string {
  if (error instanceof ServiceError) return printable(`${error.message} (${error.code})`);
  if (error instanceof UsageError && isMessageCode(error.code))
    return printable(translator.text(error.code, error.values));
  if (error instanceof StoreUnreachable)
    return printable(translator.text('refused-outside', { reason: error.message }));
  if (isFromOutside(error)) return printable(translator.text('refused-outside', { reason: reasonOf(error) }));
  return translator.text('unexpected', {
    reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}

/** Errors of the operating system and of databases have a code and are no defects; codes of Node itself begin with ERR_. */
const isFromOutside = (error: unknown): error is Error => /^(?!ERR_(?!SQLITE)).+/.test(codeOf(error));

/** Several addresses of one host fail as one AggregateError. */
const reasonOf = (error: Error): string =>
  maskDatabaseUser(error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message);

/** Errors of the network, and of a service that starts or stops; fetch reports a lost stream as a TypeError. */
export const isTransient = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof UsageError && ['unreachable', 'broken-off'].includes(error.code)) ||
  (error instanceof ServiceError && error.code === 'unavailable');

/** The reader of the output has closed it, as `head` does. */
export const isClosedPipe = (error: unknown): boolean => codeOf(error) === 'EPIPE';

/** The code of an error of the operating system; empty for other errors. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
