// Options of a field that refers to other objects. One that the rule refers to and that has gone stays an option, so that it is
// seen and can be replaced.

import type { Option } from '#console/components/forms/form-field.ts';
import type { FieldsOfRule } from '#console/pages/rules/rule-values.ts';

export interface Named {
  readonly guid: string;
  readonly name: string;
}

interface Reference {
  readonly rule: FieldsOfRule;
  readonly field: string;
  goneLabel(name: string): string;
}

/** Those that have gone come first. */
export function referenceOptions(objects: readonly Named[], { rule, field, goneLabel }: Reference): readonly Option[] {
  const gone = referredBy(rule, field).filter(({ guid }) => !objects.some((object) => object.guid === guid));
  return [
    ...gone.map(({ guid, name }) => ({ value: guid, label: goneLabel(name) })),
    ...objects.map(({ guid, name }) => ({ value: guid, label: name })),
  ];
}

/** What a field of a rule refers to, with the names that a version has kept. */
function referredBy(rule: FieldsOfRule, field: string): readonly Named[] {
  const guids = [rule[field]].flat().filter((guid) => typeof guid === 'string');
  const names = [rule[field.replace(/_guid(s?)$/, '_name$1')]].flat();
  return guids.map((guid, index) => {
    const name = names[index];
    return { guid, name: typeof name === 'string' ? name : guid };
  });
}
