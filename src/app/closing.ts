// The parts of a service end one after another. What one of them cannot write down any more must not keep the others open.

import { StoreUnreachable } from '#store/unreachable.ts';

/** Ends them all, in turn. Throws afterwards what went wrong first, other than that the database could not be reached. */
export async function closeInTurn(
  parts: readonly { close(): Promise<void> | void }[],
  unreachable: (error: unknown) => void,
): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    try {
      await part.close();
    } catch (error) {
      if (isUnreachable(error)) unreachable(error);
      else failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** A part that ends several things in turn tells of all that failed. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof SuppressedError
    ? isUnreachable(error.error) && isUnreachable(error.suppressed)
    : error instanceof StoreUnreachable;
