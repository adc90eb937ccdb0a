// Environment variables of the command line that stand for a flag.

import { UsageError } from '#kernel/usage-error.ts';
import type { Invocation } from './command.ts';

/** Undefined where it is not set. An empty one is a mistake, often of a script: the default would name another service. */
export function readVariable(
  environment: Invocation['environment'],
  variable: string,
  name: string,
): string | undefined {
  const text = environment[variable];
  if (text === '') throw new UsageError('variable-empty', { variable, name });
  return text;
}
