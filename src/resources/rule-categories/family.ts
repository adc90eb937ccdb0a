// A rule category.

import { family } from '#objects/families/family.ts';
import { named } from '#objects/families/fields.ts';

export const ruleCategories = family({
  path: 'rule-categories',
  thing: 'rule category',
  things: 'rule categories',
  singular: 'rule_category',
  plural: 'rule_categories',
  table: 'rule_categories',
  hasDryRun: true,
  fields: named,
});
