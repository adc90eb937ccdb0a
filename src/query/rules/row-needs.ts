// What the rows of a scan must hold to matter: what its own condition and the conditions above it look for. An index, or the
// store of the rows, may leave out rows that do not hold it. A need is never stricter than the conditions.

import { conditionOn, throughOf } from '#query/analysis/pushdown.ts';
import { phrasesOf, type Term, testExpression } from '#query/functions/text-tests.ts';
import type { Clue, Clues } from '#query/model/clue.ts';
import { columnRead, type Expression } from '#query/model/expression.ts';
import { declarationOf, inputsOf, scanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { ColumnFields } from '#query/plan-nodes/plan-node.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import type { TextCondition, TextSearch } from '#query/plan-nodes/shared/text-condition.ts';
import { boolOfText, dateOf, numberOfText } from '#query/values/conversions.ts';
import { cluesOf } from './clues.ts';

export type RowNeed =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly RowNeed[] }
  /** Some field whose name does not start with `_` holds the words. */
  | Term
  | ValueNeed;

/** A field of a row fulfils a clue. */
export interface ValueNeed {
  readonly kind: 'value';
  readonly clue: Clue<StoredField>;
  /** Values of types other than text cannot fulfil it. */
  readonly isOnlyText: boolean;
}

interface StoredField {
  readonly name: string;
  /** Whether it is a column of the scan, and not a key of its overflow. */
  readonly isColumn: boolean;
}

export function rowNeeds(result: PlanNode, zone: string): Map<Scan, RowNeed> {
  const found = new Map<Scan, RowNeed | undefined>();
  const descend = (node: PlanNode, above: readonly Clues[]): void => {
    const scan = scanOf(node);
    if (scan) {
      const need = scanNeed(scan, above, zone);
      // Rows that are read in two places matter in either.
      found.set(scan, found.has(scan) ? someOf([found.get(scan), need]) : need);
    }
    for (const input of inputsOf(node)) descend(input, cluesBelow(node, input, above));
  };
  descend(result, []);
  return new Map([...found].flatMap(([scan, need]) => (need ? [[scan, need] as const] : [])));
}

function cluesBelow(node: PlanNode, input: PlanNode, above: readonly Clues[]): readonly Clues[] {
  const own = conditionOn(node, input);
  const through = throughOf(node, input);
  const kept =
    through === 'kept' ? above : through === 'lost' ? [] : above.flatMap((clues) => movedClues(clues, through));
  return own ? [...cluesOf(own), ...kept] : kept;
}

/** Clues on columns of a node as clues on the fields of its input that they are. */
function movedClues(clues: Clues, fields: ColumnFields): readonly Clues[] {
  const moved = clues.flatMap((clue): Clues => {
    const id = columnRead(clue.of);
    const [, of] = fields.find(([column]) => column !== undefined && column === id) ?? [];
    return of ? [{ ...clue, of }] : [];
  });
  return moved.length === clues.length ? [moved] : [];
}

/** A cut of the ordered rows of a scan keeps out all conditions from above. */
function scanNeed(scan: Scan, above: readonly Clues[], zone: string): RowNeed | undefined {
  const isCut = scan.limit !== undefined || scan.offset > 0n;
  const search = declarationOf(scan).scan?.search?.(scan);
  const own = search && searchNeed(search, scan, zone);
  return allOf([own, cluesNeed(isCut ? [] : above, scan, zone)]);
}

function searchNeed({ condition, anywhere }: TextSearch, scan: Scan, zone: string): RowNeed | undefined {
  const needOf = (operand: TextCondition) => searchNeed({ condition: operand, anywhere }, scan, zone);
  switch (condition.kind) {
    case 'and':
      return allOf(condition.operands.map(needOf));
    case 'or':
      return someOf(condition.operands.map(needOf));
    case 'term':
      return allOf(phrasesOf(condition, { anywhere }));
    case 'not':
    case 'found':
      return undefined;
    default:
      return cluesNeed(cluesOf(testExpression(condition)), scan, zone);
  }
}

const cluesNeed = (all: readonly Clues[], scan: Scan, zone: string): RowNeed | undefined =>
  allOf(all.map((clues) => someOf(clues.map((clue) => valueNeed(clue, scan, zone)))));

function valueNeed(clue: Clue, scan: Scan, zone: string): RowNeed | undefined {
  const field = fieldOf(clue.of, scan);
  if (!field) return undefined;
  const text = clue.kind === 'equal' && typeof clue.constant === 'string' ? clue.constant : undefined;
  return { kind: 'value', clue: { ...clue, of: field }, isOnlyText: text !== undefined && isOnlyText(text, zone) };
}

function fieldOf(of: Expression, { rows }: Scan): StoredField | undefined {
  if (of.kind !== 'field') return undefined;
  const id = columnRead(of);
  const column = id === undefined ? undefined : rows.columns.find((one) => one.id === id);
  if (column) return { name: column.name, isColumn: true };
  const isKey = of.source?.kind === 'overflow' && of.source.id === rows.overflow?.id;
  return isKey ? { name: of.name, isColumn: false } : undefined;
}

/** A text that no other type can be read from equals only the same text. */
const isOnlyText = (text: string, zone: string): boolean =>
  numberOfText(text) === null && boolOfText(text) === null && dateOf(text, zone) === null;

/** Undefined where nothing is needed. */
export function allOf<T>(needs: readonly (T | undefined)[]): T | Both<T> | undefined {
  const operands = needs.filter((need) => need !== undefined);
  return operands.length > 1 ? { kind: 'and', operands } : operands[0];
}

export function someOf<T>(needs: readonly (T | undefined)[]): T | Both<T> | undefined {
  const operands = needs.filter((need) => need !== undefined);
  if (operands.length < needs.length) return undefined;
  return operands.length === 1 ? operands[0] : { kind: 'or', operands };
}

interface Both<T> {
  readonly kind: 'and' | 'or';
  readonly operands: readonly T[];
}
