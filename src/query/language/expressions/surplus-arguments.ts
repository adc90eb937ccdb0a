// Arguments that a function does not take and ignores (9): texts of this language family have them, where the function read
// one argument and dropped the rest in silence.

import type { Expression, Span } from '#query/model/expression.ts';
import type { FunctionDeclaration } from '#query/model/function.ts';
import type { Hint, QueryWarning } from '#query/model/query-error.ts';
import { expressionText } from './expression-text.ts';
import { shortened } from './operators.ts';

/** A longer call is a list of its own, and a hostile one would be repeated at every level of a text. */
const MAX_SHOWN_CALL = 4096;

/** Warning 90915 at the first of them; undefined without any. */
export function surplusWarning(
  { name, args: { length: n }, ignoresSurplus }: FunctionDeclaration,
  args: readonly Expression[],
  span: Span,
): QueryWarning | undefined {
  const first = ignoresSurplus ? args[n] : undefined;
  if (!first) return undefined;
  const { begin, end } = first;
  const isShort = span.end - span.begin <= MAX_SHOWN_CALL;
  const hints = name === 'contains' && isShort ? [eachBySelf(args, span)] : [];
  return { code: 90915, begin, end, values: { name, n }, hints, suggestions: [] };
}

/** `contains(x, a, b)` as one call for each text. */
function eachBySelf([x, ...texts]: readonly Expression[], { begin, end }: Span): Hint {
  const [where = '', a = '', b = '', ...more] = [x, ...texts].map((one) => (one ? expressionText(one) : ''));
  const calls = [a, b, ...more].map((text) => `contains(${where}, ${text})`);
  const values = { x: shortened(where), a: shortened(a), b: shortened(b) };
  return { code: 91049, at: { begin, end }, values, replacement: `(${calls.join(' or ')})` };
}
