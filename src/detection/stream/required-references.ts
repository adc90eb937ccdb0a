// What a stream rule needs to look at logs: its schema, the loggers or models it selects by, and address groups.

import type { Reference } from '#detection/references.ts';
import type { Snapshot } from '#detection/snapshot.ts';

/** Those of its references without which it cannot work as it was meant. */
export function requiredReferencesOf(content: Snapshot, references: readonly Reference[]): Reference[] {
  const selecting = content.source_type === 'LOGGER_MODEL' ? 'logger model' : 'logger';
  return references.filter(({ thing }) => thing === 'log schema' || thing === selecting || thing === 'address group');
}
