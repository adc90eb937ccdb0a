// Texts that the rows of a scan must hold to matter: those that its own condition and the conditions above it look for. An
// index may leave out rows that do not hold them. A need is never stricter than the conditions.

import { phrasesOf, type Term, testExpression } from '#query/functions/text-tests.ts';
import { type Expression, isVolatile } from '#query/model/expression.ts';
import { cutOf, declarationOf, expressionsOf, inputsOf, scanOf } from '#query/nodes/facts.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';
import type { TextCondition, TextSearch } from '#query/nodes/shared/text-condition.ts';
import { boolOfText, dateOf, numberOfText } from '#query/values/conversions.ts';
import { type Clue, cluesOf } from './clues.ts';

export type TextNeed =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly TextNeed[] }
  /** Some field whose name does not start with `_` holds the words. */
  | Term
  | FieldNeed;

/** The text of a field contains the text in any case, or is the text where `isWhole`. */
export interface FieldNeed {
  readonly kind: 'text';
  /** Undefined for a field that is no column. */
  readonly column: string | undefined;
  readonly text: string;
  readonly isWhole: boolean;
  /** Values of other types cannot match. */
  readonly isOnlyText: boolean;
}

export function textNeeds(result: PlanNode, zone: string): Map<Scan, TextNeed> {
  const found = new Map<Scan, TextNeed>();
  const descend = (node: PlanNode, above: readonly Expression[]): void => {
    const scan = scanOf(node);
    const need = scan && scanNeed(scan, above, zone);
    if (scan && need) found.set(scan, need);
    for (const input of inputsOf(node)) descend(input, conditionsFor(node, input, above));
  };
  descend(result, []);
  return found;
}

/** Conditions without which no row of an input matters, of those that hold for the rows of the node. */
function conditionsFor(node: PlanNode, input: PlanNode, above: readonly Expression[]): readonly Expression[] {
  const { bounds, condition } = declarationOf(node);
  if (node.input !== undefined && node.input !== input) return [];
  if (expressionsOf(node).some(isVolatile)) return [];
  const own = condition?.(node);
  if (own) return cutOf(node) ? [own] : [own, ...above];
  return bounds === 'kept' ? above : [];
}

/** A cut of the ordered rows of a scan keeps out all conditions from above. */
function scanNeed(scan: Scan, above: readonly Expression[], zone: string): TextNeed | undefined {
  const isCut = scan.limit !== undefined || scan.offset > 0n;
  const search = declarationOf(scan).scan?.search?.(scan);
  const own = search && searchNeed(search, scan, zone);
  return allOf([own, ...(isCut ? [] : above).map((condition) => expressionNeed(condition, scan, zone))]);
}

function searchNeed({ condition, anywhere }: TextSearch, scan: Scan, zone: string): TextNeed | undefined {
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
      return expressionNeed(testExpression(condition), scan, zone);
  }
}

const expressionNeed = (condition: Expression, scan: Scan, zone: string): TextNeed | undefined =>
  allOf(cluesOf(condition).map((clues) => someOf(clues.map((clue) => clueNeed(clue, scan, zone)))));

function clueNeed(clue: Clue, scan: Scan, zone: string): TextNeed | undefined {
  const { of } = clue;
  if (of.kind !== 'field' || of.source === undefined) return undefined;
  const { source } = of;
  const column = scan.rows.columns.find(({ id }) => source.kind === 'column' && id === source.id)?.name;
  if (column === undefined && !(source.kind === 'overflow' && source.id === scan.rows.overflow?.id)) return undefined;
  if (clue.kind === 'equal' && typeof clue.constant === 'string') {
    return { kind: 'text', column, text: clue.constant, isWhole: true, isOnlyText: isOnlyText(clue.constant, zone) };
  }
  if (clue.kind !== 'text' || (clue.ignoresCase && HAS_CASE.test(clue.text))) return undefined;
  // A list contains an element without its text.
  return { kind: 'text', column, text: clue.text, isWhole: false, isOnlyText: false };
}

/** Letters beyond ASCII that regular expressions may fold otherwise than `lower`; Korean, Chinese and Japanese have no case. */
const HAS_CASE = /[^\0-\x7f\u2e80-\ua63f\uac00-\ud7a3]/;

/** A text that no other type can be read from equals only the same text. */
const isOnlyText = (text: string, zone: string): boolean =>
  numberOfText(text) === null && boolOfText(text) === null && dateOf(text, zone) === null;

/** Undefined where nothing is needed. */
function allOf(needs: readonly (TextNeed | undefined)[]): TextNeed | undefined {
  const operands = needs.filter((need) => need !== undefined);
  return operands.length > 1 ? { kind: 'and', operands } : operands[0];
}

function someOf(needs: readonly (TextNeed | undefined)[]): TextNeed | undefined {
  const operands = needs.filter((need) => need !== undefined);
  if (operands.length < needs.length) return undefined;
  return operands.length === 1 ? operands[0] : { kind: 'or', operands };
}
