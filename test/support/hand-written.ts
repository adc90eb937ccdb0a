// Finds in a source what src/runtime has once and what would be written by hand again (ADR 38): threads, timers, promise
// chains, retries, bounded maps, budgets, immediates, and promises made with an executor, because `Promise.withResolvers` is the one form.

import { parseSync, Visitor } from 'rolldown/utils';
import type { Source } from './sources.ts';

export const HAND_WRITTEN = [
  'a worker',
  'a timer',
  'an interval',
  'a chain',
  'a retry',
  'a bounded map',
  'a budget',
  'an executor',
  'an immediate',
] as const;
export type HandWritten = (typeof HAND_WRITTEN)[number];

export interface Finding {
  readonly kind: HandWritten;
  readonly line: number;
}

export function handWrittenIn({ path, text }: Source): readonly Finding[] {
  const found: Finding[] = [];
  const textOf = ({ start, end }: Range) => text.slice(start, end);
  const add = (kind: HandWritten, { start }: Range) =>
    void found.push({ kind, line: text.slice(0, start).split('\n').length });
  /** Variables that continue a promise, and the text of that promise. */
  const continued = new Map<string, string>();
  /** Loops and functions around the present node, the innermost last. */
  const enclosures: ('loop' | 'function')[] = [];
  const tracking = (kind: 'loop' | 'function', type: string) => ({
    [type]: () => void enclosures.push(kind),
    [`${type}:exit`]: () => void enclosures.pop(),
  });
  const amounts = new Amounts();
  const enclosing = Object.assign(
    {},
    ...LOOPS.map((type) => tracking('loop', type)),
    ...FUNCTIONS.map((type) => tracking('function', type)),
  );
  const visitor = new Visitor({
    NewExpression(made) {
      if (textOf(made.callee) === 'Worker') add('a worker', made);
      if (textOf(made.callee) === 'Promise') add('an executor', made);
    },
    CallExpression(call) {
      const callee = textOf(call.callee);
      if (/^(window\.|globalThis\.)?setInterval$/.test(callee)) add('an interval', call);
      if (callee === 'setImmediate') add('an immediate', call);
      // That of an array takes one argument.
      if (/\.every$/.test(callee) && call.arguments.length === 2) add('a timer', call);
    },
    VariableDeclarator({ id, init }) {
      const promise = init && continuedPromise(textOf(init));
      if (promise) continued.set(textOf(id), promise);
    },
    AssignmentExpression(assignment) {
      const left = textOf(assignment.left);
      const promise = continuedPromise(textOf(assignment.right));
      amounts.changed(left, textOf(assignment.right), assignment);
      const isOwn = promise !== undefined && (promise === left || continued.get(promise) === left);
      if (isOwn && assignment.operator === '=') add('a chain', assignment);
    },
    BinaryExpression({ left, operator, right }) {
      if (/^[<>]=?$/.test(operator)) amounts.compared(textOf(left), textOf(right));
    },
    ...enclosing,
    IfStatement({ test, start, end }) {
      if (isBound(textOf(test), textOf({ start, end }))) add('a bounded map', { start, end });
    },
    ForOfStatement({ body, start, end }) {
      if (isBound(textOf(body), textOf(body))) add('a bounded map', { start, end });
    },
    TryStatement({ block, handler, start, end }) {
      if (!handler || enclosures.at(-1) !== 'loop') return;
      const isLeft = LEAVES.has(handler.body.body.at(-1)?.type ?? '');
      const isRepeated = !isLeft && /\b(?:return|break)\b/.test(textOf(block));
      if (isRepeated || /\.sleep\(/.test(textOf(handler))) add('a retry', { start, end });
    },
  });
  visitor.visit(parseSync(path, text).program);
  for (const range of amounts.limited()) add('a budget', range);
  return found.sort((one, other) => one.line - other.line);
}

/** Fields that grow and shrink by what is not written down, and are compared with a limit. */
class Amounts {
  readonly #grown = new Map<string, Range>();
  readonly #shrunk = new Set<string>();
  readonly #limited = new Set<string>();

  changed(name: string, by: string, assignment: Range & { readonly operator: string }): void {
    if (!/^this\.#?\w+$/.test(name) || /^\d+n?$/.test(by)) return;
    if (assignment.operator === '+=' && !this.#grown.has(name)) this.#grown.set(name, assignment);
    if (assignment.operator === '-=') this.#shrunk.add(name);
  }

  compared(left: string, right: string): void {
    for (const [name, limit] of [[left, right] as const, [right, left] as const]) {
      const [amount] = /^this\.#?\w+(?= \+|$)/.exec(name) ?? [];
      if (amount !== undefined && !/^0n?$/.test(limit)) this.#limited.add(amount);
    }
  }

  limited(): readonly Range[] {
    return [...this.#grown].flatMap(([name, at]) => (this.#shrunk.has(name) && this.#limited.has(name) ? [at] : []));
  }
}

/** A loop over given items tries alternatives, which is no retry. */
const LOOPS = ['ForStatement', 'WhileStatement', 'DoWhileStatement'];
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
/** Statements that end a handler without a further attempt. */
const LEAVES = new Set(['ReturnStatement', 'ThrowStatement', 'BreakStatement']);

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether a collection is compared with a limit, and changed because of it. A local one that is only filled is a result. */
function isBound(test: string, text: string): boolean {
  const sized = test.matchAll(/(?<kept>(?:this\.)?#?\w+(?:\.#?\w+)*)\.size\s*(?:[<>]=?|===)\s*[^\s\d]/g);
  return sized.some(({ groups: { kept = '' } = {} }) => {
    const changes = kept.startsWith('this.') ? ['set', 'add', 'delete', 'clear'] : ['delete', 'clear'];
    return changes.some((change) => text.includes(`${kept}.${change}(`));
  });
}

/** `a.b` for `a.b.then(c).catch(d)`. */
const continuedPromise = (text: string): string | undefined =>
  /^(?<promise>(?:this\.)?#?[\w$]+(?:\.#?[\w$]+)*?)\s*\.(?:then|catch|finally)\(/.exec(text)?.groups?.promise;
