// Location paths of XPath 1.0, as far as logs need them: steps by name, star, attribute and text(), `//`, `.` and `..`,
// and conditions on position, existence and equality. The summary of the function xpath() lists them.

import { readXml, textWithin, type XmlElement } from './xml.ts';

type Test =
  | { readonly kind: 'child' | 'attribute'; readonly name: string }
  | { readonly kind: 'text' | 'self' | 'parent' };

type Condition =
  | { readonly position: number | 'last' }
  | { readonly test: Test; readonly equals?: { readonly text: string; readonly isWanted: boolean } };

interface Step {
  /** True after `//`: the step applies to all descendants. */
  readonly isDeep: boolean;
  readonly test: Test;
  readonly conditions: readonly Condition[];
}

/** `order` follows the document, with attributes after their element. */
interface XmlNode {
  readonly parent: XmlNode | undefined;
  readonly value: XmlElement | string;
  readonly order: number;
  readonly below: readonly XmlNode[];
  readonly attributes: ReadonlyMap<string, XmlNode>;
}

const MAX_STEPS = 64;
const PLAIN = '[\\p{L}_][\\p{L}\\p{Nd}\\p{M}_.\\-]*';
const NAME = `${PLAIN}(?::${PLAIN})?`;
const TEST = new RegExp(`(\\.\\.|\\.|text\\(\\)|(@?)(\\*|${NAME}))`, 'uy');
const CONDITION = new RegExp(
  `\\[\\s*(?:(\\d{1,9})|(last\\(\\))|(\\.|text\\(\\)|@?(?:\\*|${NAME}))\\s*(?:(!?=)\\s*(?:"([^"]*)"|'([^']*)'))?)\\s*\\]`,
  'uy',
);

export const isLocationPath = (path: string): boolean => stepsOf(path) !== undefined;

/** The text of the first node that the path selects; null if there is none or the text is no XML. */
export function xpath(text: string, path: string): string | null {
  const root = readXml(text);
  const steps = stepsOf(path);
  if (!root || !steps) return null;
  let found: readonly XmlNode[] = [placed(root)];
  for (const step of steps) found = taken(found, step);
  const first = found.reduce<XmlNode | undefined>(
    (least, node) => (least && least.order <= node.order ? least : node),
    undefined,
  );
  return first ? textWithin(first.value) : null;
}

function stepsOf(path: string): Step[] | undefined {
  const steps: Step[] = [];
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(path);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < path.length) {
    const separator = next(/\/{1,2}/y)?.[0] ?? '';
    if (steps.length > 0 && separator === '') return undefined;
    const test = next(TEST);
    if (!test || steps.length === MAX_STEPS) return undefined;
    const conditions: Condition[] = [];
    for (let found = next(CONDITION); found; found = next(CONDITION)) conditions.push(conditionOf(found));
    steps.push({ isDeep: separator === '//', test: testOf(test[0]), conditions });
  }
  return steps.length > 0 ? steps : undefined;
}

function testOf(written: string): Test {
  if (written === '.') return { kind: 'self' };
  if (written === '..') return { kind: 'parent' };
  if (written === 'text()') return { kind: 'text' };
  return written.startsWith('@') ? { kind: 'attribute', name: written.slice(1) } : { kind: 'child', name: written };
}

function conditionOf([, position, last, test = '', operator, double, single]: RegExpExecArray): Condition {
  if (position !== undefined) return { position: Number(position) };
  if (last !== undefined) return { position: 'last' };
  if (operator === undefined) return { test: testOf(test) };
  return { test: testOf(test), equals: { text: double ?? single ?? '', isWanted: operator === '=' } };
}

/** Numbers all nodes of the document in order; the root element is the only child of the document node. */
function placed(root: XmlElement): XmlNode {
  let order = 0;
  const made = (value: XmlElement | string, parent: XmlNode | undefined): XmlNode => {
    const node = { value, parent, order: order++, below: [] as XmlNode[], attributes: new Map<string, XmlNode>() };
    if (typeof value === 'string') return node;
    for (const [name, text] of value.attributes) node.attributes.set(name, made(text, node));
    for (const child of value.children) node.below.push(made(child, node));
    return node;
  };
  return made({ name: '', attributes: new Map(), children: [root] }, undefined);
}

function taken(from: readonly XmlNode[], { isDeep, test, conditions }: Step): XmlNode[] {
  const found = new Set<XmlNode>();
  for (const node of isDeep ? withAllBelow(from) : from) {
    let candidates = foundIn(node, test);
    for (const condition of conditions) candidates = kept(candidates, condition);
    for (const one of candidates) found.add(one);
  }
  return [...found];
}

function withAllBelow(from: readonly XmlNode[]): Set<XmlNode> {
  const all = new Set<XmlNode>();
  const waiting = [...from];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (all.has(node)) continue;
    all.add(node);
    for (const below of node.below) waiting.push(below);
  }
  return all;
}

function foundIn(node: XmlNode, test: Test): readonly XmlNode[] {
  switch (test.kind) {
    case 'self':
      return [node];
    case 'parent':
      return node.parent ? [node.parent] : [];
    case 'text':
      return node.below.filter(({ value }) => typeof value === 'string');
    case 'attribute':
      return [...node.attributes].filter(([name]) => test.name === '*' || name === test.name).map(([, one]) => one);
    case 'child':
      return node.below.filter(
        ({ value }) => typeof value !== 'string' && (test.name === '*' || value.name === test.name),
      );
  }
}

function kept(candidates: readonly XmlNode[], condition: Condition): readonly XmlNode[] {
  if ('position' in condition) {
    const at = condition.position === 'last' ? candidates.length : condition.position;
    return at < 1 ? [] : candidates.slice(at - 1, at);
  }
  const { test, equals } = condition;
  return candidates.filter((node) =>
    foundIn(node, test).some(({ value }) => !equals || (textWithin(value) === equals.text) === equals.isWanted),
  );
}
