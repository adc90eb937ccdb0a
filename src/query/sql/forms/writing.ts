// SQL of functions that combine several values into a text, and of signature().

import { REMOVED_BY_SIGNATURE } from '#query/functions/writing.ts';
import { toText } from '#query/sql/conversion.ts';
import { localExpression } from '#query/sql/local-expression.ts';
import { sql } from '#query/sql/writer.ts';
import { argumentAt } from './arguments.ts';
import type { Forms } from './form.ts';

export const writing: Forms = {
  // The names are constants, and too many to be sent with every row.
  kvjoin: (call, compiler) => localExpression(call, compiler),

  signature(call, compiler) {
    const { text } = toText(argumentAt(call, 0, compiler), compiler);
    return sql(`regexp_replace(${text}, ${compiler.bind(REMOVED_BY_SIGNATURE).text}, '', 'g')`, 'string');
  },
};
