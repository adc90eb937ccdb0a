// Whoever acts on rules hears when they have changed, once the change is durable.

import type { RuleKind } from '#detection/kinds.ts';

export interface RuleChanges {
  told(kind: RuleKind): Promise<void>;
}
