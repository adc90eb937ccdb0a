// Errors in the language of the reader. Texts of the service are contract and English; the common ones are told apart here.

import type { Labels } from '#console/labels/en.ts';
import { ServiceError, Unreachable } from './service-error.ts';

const CODES = [
  'unauthorized',
  'too-many-requests',
  'unavailable',
  'internal-error',
  'request-too-large',
  'invalid-query',
  'not-found',
] as const;

export interface FailureText {
  readonly text: string;
  /** The text of the service, where `text` is not made of it. */
  readonly detail?: string;
}

export function failureText(error: unknown, { failures }: Labels): FailureText {
  if (error instanceof Unreachable) return { text: failures.unreachable };
  if (!(error instanceof ServiceError)) return { text: failures['internal-error'], detail: String(error) };
  const { code, message, requestId } = error;
  if (message === 'no-permission') return { text: failures['no-permission'] };
  if (code === 'internal-error') return { text: failures[code], detail: failures.requestId(requestId) };
  const known = CODES.find((candidate) => candidate === code);
  if (known) return { text: failures[known], detail: message };
  return { text: textOfState(message, failures) };
}

function textOfState(message: string, failures: Labels['failures']): string {
  const [, thing] = /^(.+ not found: .*)$/.exec(message) ?? [];
  if (thing !== undefined) return failures.missing(thing.replace(' not found: ', ' '));
  const [, name] = /^duplicated \w+: (.*)$/.exec(message) ?? [];
  return name === undefined ? failures.refused(message) : failures.duplicate(name);
}
