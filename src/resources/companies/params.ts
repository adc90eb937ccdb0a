// The writable fields of a company.

import { required, text } from '#http/params.ts';

export const fields = {
  name: required(text(200)),
  description: text(2000),
};
