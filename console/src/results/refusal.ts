// Why the service has not begun a query: the findings of its text.

import { ServiceError } from '#console/client/service-error.ts';
import type { Finding, Findings } from '#console/components/query-editor/findings.ts';

/** Undefined for an error that is not about the text. */
export function findingsIn(error: unknown): Findings | undefined {
  if (!(error instanceof ServiceError) || !Array.isArray(error.details.mistakes)) return undefined;
  return error.details as unknown as Findings; // The answer of the service, by its contract.
}

/** A command that changes something, in a run that may only read. */
const CHANGES = 92004;

/** The command that a run may not have without a click on Run; undefined for any other error. */
export const changeIn = (error: unknown): Finding | undefined =>
  findingsIn(error)?.mistakes.find(({ code }) => code === CHANGES);
