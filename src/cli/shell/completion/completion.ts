// Completion by Tab: inserts the common start of all candidates, or lists them.

import { type Edited, replaced } from '#cli/shell/terminal/editor.ts';

interface Completion {
  readonly state: Edited;
  /** The candidates to show; none after an insertion. */
  readonly choices: readonly string[];
}

/** `begin` is the start of the name that the candidates complete. */
export function completed(state: Edited, begin: number, candidates: readonly string[]): Completion {
  const [first] = candidates;
  if (first === undefined) return { state, choices: [] };
  const span = { begin, end: state.cursor };
  if (candidates.length === 1) return { state: replaced(state, span, withoutDouble(first, state)), choices: [] };
  const common = commonStart(candidates);
  const isLonger = common.length > span.end - span.begin;
  return isLonger ? { state: replaced(state, span, common), choices: [] } : { state, choices: candidates };
}

/** A blank or mark behind the cursor is not inserted twice. */
function withoutDouble(candidate: string, { text, cursor }: Edited): string {
  const last = candidate.at(-1) ?? '';
  return /[ =(]/.test(last) && text.charAt(cursor) === last ? candidate.slice(0, -1) : candidate;
}

function commonStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let common = first;
  for (const other of others) {
    let length = 0;
    while (length < common.length && common.charAt(length) === other.charAt(length)) length += 1;
    common = common.slice(0, length);
  }
  return common;
}
