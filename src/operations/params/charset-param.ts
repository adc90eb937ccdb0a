// A character set as a parameter: of followed files, and of uploads.

import { unknownCharset } from '#contract/errors.ts';
import { isCharset } from '#kernel/text/charset.ts';
import { meaning, text } from './params.ts';

export const charset = meaning(text(50), {}, (value, name) => {
  if (!isCharset(value)) throw unknownCharset(name, value);
  return value;
});
