// Names of tables in a text, and the tables behind them.

import type { Name, Words } from '#query/language/words.ts';
import type { Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { TableSource } from '#query/plan-nodes/shared/scans.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import type { QueryContext } from '#query/planning/query-context.ts';

/** `NAME`, `NAME?`, `NAME*`, `*NAME` or `*`, each with or without `NODE:`. */
export interface TableSpec extends Span {
  readonly node?: Name;
  readonly name: string;
  readonly isOptional: boolean;
  /** Whether a parameter names it: then it needs the rights of the accounts that called the text too. */
  readonly isGiven?: true;
}

export function takeSpecs(words: Words): TableSpec[] {
  const specs = [takeSpec(words)];
  while (words.take(',')) specs.push(takeSpec(words));
  return specs;
}

/** Matches the second half of an unquoted time of an option, which is not the name of a node. */
const CLOCK = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

export function takeSpec(words: Words): TableSpec {
  const word = words.startsWith('$(') ? undefined : words.takeWord();
  if (!word) throw words.tooFew({ term: 'tables' });
  if (CLOCK.test(word.text)) throw new QueryError(90201, word, { token: word.text }, { hints: [{ code: 91026 }] });
  // An option that stands behind a comma.
  if (word.text.includes('=')) throw new QueryError(90201, word, { token: word.text });
  const node = nodeOf(word);
  const begin = node ? node.end + 1 : word.begin;
  const isOptional = word.text.endsWith('?');
  const span = { begin, end: word.end - (isOptional ? 1 : 0) };
  const name = word.text.slice(span.begin - word.begin, span.end - word.begin).normalize();
  if (name === '' || node?.text === '') throw new QueryError(90201, word, { token: word.text });
  if (name.slice(1, -1).includes('*') || (name !== '*' && name.startsWith('*') && name.endsWith('*'))) {
    throw new QueryError(10005, span);
  }
  return { ...(node ? { node } : {}), name, isOptional, ...span };
}

function nodeOf({ text, begin }: Name): Name | undefined {
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { text: text.slice(0, colon).normalize(), begin, end: begin + colon };
}

export const specText = ({ node, name, isOptional }: TableSpec): string =>
  `${node ? `${node.text}:` : ''}${name}${isOptional ? '?' : ''}`;

export const specsText = (specs: readonly TableSpec[]): string => specs.map(specText).join(', ');

/** 10500 for an unknown node; a star stands for all nodes. All nodes that live have the same tables. */
function requireNode(node: Name, { queryContext }: CommandPlanning<unknown>): void {
  const { node: own, askingNode, otherNodes } = queryContext;
  if (['*', own, askingNode].includes(node.text) || otherNodes?.get(node.text)?.isAlive) return;
  throw unknownNode(node, queryContext);
}

export function unknownNode(node: Name, { node: own, askingNode, otherNodes }: QueryContext): QueryError {
  const known = new Set([own, ...(askingNode === undefined ? [] : [askingNode]), ...(otherNodes?.keys() ?? [])]);
  known.delete('*');
  return new QueryError(10500, node, { name: node.text }, { suggestions: suggestionsFor(node.text, [...known]) });
}

/** Without names all tables that can be read. */
export function tablesOf(
  specs: readonly TableSpec[] | undefined,
  planning: CommandPlanning<unknown>,
): readonly TableSource[] {
  const readable = new ReadableTables(planning);
  if (!specs) return readable.all();
  const chosen = new Map<string, TableSource>();
  // A list of a parameter may repeat a pattern tens of thousands of times.
  const distinct = new Map(specs.map((spec) => [`${spec.isGiven ?? false} ${specText(spec)}`, spec]));
  for (const spec of distinct.values()) {
    if (spec.node) requireNode(spec.node, planning);
    for (const table of readable.fitting(spec)) chosen.set(table.name, table);
  }
  return [...chosen.values()].map((table) => writtenBefore(table, planning));
}

/** A table that an earlier phase writes to may have any field. */
const writtenBefore = ({ name, columns, ...table }: TableSource, { context }: CommandPlanning<unknown>): TableSource =>
  context.shared.writes.has(name) ? { name, columns, isOpen: true } : { name, columns, ...table };

class ReadableTables {
  readonly #planning: CommandPlanning<unknown>;
  #all: readonly TableSource[] | undefined;

  constructor(planning: CommandPlanning<unknown>) {
    this.#planning = planning;
  }

  all(): readonly TableSource[] {
    const { tables } = this.#planning.queryContext;
    this.#all ??= [...tables.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
    return this.#all;
  }

  fitting(spec: TableSpec): readonly TableSource[] {
    const { name, isGiven } = spec;
    const named = name.includes('*') ? this.all().filter((table) => fits(name, table.name)) : this.#named(spec);
    return isGiven ? named.filter((table) => this.#mayCallersRead(table.name)) : named;
  }

  /** 10001 for a table that cannot be read, unless it need not exist. */
  #named(spec: TableSpec): readonly TableSource[] {
    const { name, isOptional, isGiven } = spec;
    const { tables } = this.#planning.queryContext;
    const table = tables.get(name);
    if (table && (!isGiven || this.#mayCallersRead(name))) return [table];
    if (isOptional) return [];
    const suggestions = suggestionsFor(name, tables.keys()).filter((other) => !isGiven || this.#mayCallersRead(other));
    throw new QueryError(10001, spec, { name }, { suggestions });
  }

  #mayCallersRead(name: string): boolean {
    const { callers = [] } = this.#planning.queryContext;
    return callers.every(({ tables }) => tables.has(name));
  }
}

const fits = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name.endsWith(pattern.slice(1));
