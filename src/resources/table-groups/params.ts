// The writable fields of a table group.

import { wrongTableGroupName } from '#contract/errors.ts';
import { anyText, guid, meaning, required, text } from '#http/params.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,49}$/;

const name = meaning(anyText, { pattern: NAME.source }, (value) => {
  if (!NAME.test(value)) throw wrongTableGroupName();
  return value;
});

export const fields = {
  name: required(name),
  description: text(2000),
  parent_guid: guid,
};
