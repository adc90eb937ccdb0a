// Closes the parts of a service one after another. A part that fails must not keep the others open.

import { StoreUnreachable } from '#store/unreachable.ts';

/** Closes all parts in order, then throws the first error that is not an unreachable database. */
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

/** A part that closes several resources reports all of their errors as one SuppressedError. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof SuppressedError
    ? isUnreachable(error.error) && isUnreachable(error.suppressed)
    : error instanceof StoreUnreachable;
