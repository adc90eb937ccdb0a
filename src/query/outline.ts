// The commands of a text for editors and consoles: names, places, kinds, and the columns after each.

import { isClosed } from './model/columns.ts';
import type { CommandKind, CommandOutline } from './model/query-error.ts';
import { hasRows, type PlanNode, type Preamble } from './plan-nodes/plan.ts';
import type { CommandClass, ParsedQuery } from './planning/command.ts';

export const commandKind = (of: CommandClass): CommandKind => (of === 'processing' ? 'row' : of);

/** Columns that are listed for one text; a long pipeline over a wide table would list millions. */
const MAX_COLUMNS = 50_000;

/** A command whose name is unknown is left out; one with an error of its own leaves its columns open. */
export function outlineOf(
  { commands, lost }: ParsedQuery,
  planned: readonly (PlanNode | Preamble)[],
): CommandOutline[] {
  const nodes = new Map(planned.map((node) => [node.begin, node]));
  let listed = 0;
  return [...commands, ...lost]
    .toSorted((one, other) => one.begin - other.begin)
    .flatMap(({ declaration, begin, end }) => {
      if (!declaration) return [];
      const after = columnsAfter(nodes.get(begin));
      listed += after?.length ?? 0;
      const columns = after && listed <= MAX_COLUMNS ? after.map(({ name, type }) => ({ name, type })) : null;
      return [{ name: declaration.name, begin, end, kind: commandKind(declaration.class), columns }];
    });
}

/** Whether a command changes something outside of the query, in subqueries too, as far as its words can be read. */
export const hasChange = ({ commands, lost }: ParsedQuery): boolean =>
  commands.some(({ changes, subqueries }) => changes || subqueries.some(hasChange)) ||
  lost.some(({ declaration }) => declaration?.class === 'sink');

function columnsAfter(node: PlanNode | Preamble | undefined): CommandOutline['columns'] {
  if (!node) return null;
  if (!hasRows(node)) return [];
  return isClosed(node.rows) ? node.rows.columns : null;
}
