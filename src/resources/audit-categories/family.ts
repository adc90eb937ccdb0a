// An audit category: the subject of the explanations that users are asked for.

import { family } from '#objects/families/family.ts';
import { named } from '#objects/families/fields.ts';

export const auditCategories = family({
  path: 'audit-categories',
  thing: 'audit category',
  things: 'audit categories',
  singular: 'audit_category',
  plural: 'audit_categories',
  table: 'audit_categories',
  hasDryRun: true,
  fields: named,
});
