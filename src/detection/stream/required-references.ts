// The required references of a stream rule: its schema, selected loggers or models, and address groups.

import type { Reference } from '#detection/rules/references.ts';
import type { Snapshot } from '#detection/rules/snapshot.ts';

/** References without which the rule cannot work. */
export function requiredReferencesOf(content: Snapshot, references: readonly Reference[]): Reference[] {
  const selecting = content.source_type === 'LOGGER_MODEL' ? 'logger model' : 'logger';
  return references.filter(({ thing }) => thing === 'log schema' || thing === selecting || thing === 'address group');
}
