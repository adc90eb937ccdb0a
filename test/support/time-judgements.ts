// Finds in the source of a test what may fail only because the machine is busy: time-outs of its own, and expectations about
// elapsed time.

import { parseSync, Visitor } from 'rolldown/utils';
import type { Source } from './sources.ts';

type Call = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]['CallExpression']>>[0];
type Node = Call['callee'] | Call['arguments'][number];
type Value = Extract<Extract<Node, { type: 'ObjectExpression' }>['properties'][number], { type: 'Property' }>['value'];

const TESTS = ['it', 'test', 'describe'];
const HOOKS = ['beforeAll', 'beforeEach', 'afterAll', 'afterEach', 'onTestFinished', 'onTestFailed'];
const TIME_OUTS = ['timeout', 'testTimeout', 'hookTimeout'];
/** The declared ones, for programs that have others by default. */
const DECLARED = ['TEST_TIME_OUT_MS', 'POLL_TIME_OUT_MS'];

/** `path:line: what is wrong and what to do`, one for each finding. */
export function timeJudgementsIn({ path, text }: Source): string[] {
  const found: string[] = [];
  const tell = ({ start }: { readonly start: number }, advice: string) =>
    void found.push(`${path}:${text.slice(0, start).split('\n').length}: ${advice}`);
  const visitor = new Visitor({
    CallExpression(call) {
      const [root, ...members] = namesOf(call.callee);
      if (root === 'vi' && ['waitFor', 'waitUntil'].includes(members[0] ?? ''))
        tell(call, `vi.${members[0]} has a time-out of its own: use expect.poll, or until of test/support/until.ts`);
      if (root === 'performance' && members[0] === 'now')
        tell(call, 'assert the effect, or judge by processor time (test/support/processor-time.ts)');
      if (call.arguments.some(hasTimeOut) || hasTimeOutArgument(call, root ?? ''))
        tell(call, 'leave the time-out out: test/support/time-out.ts has those for what hangs');
    },
    BinaryExpression({ operator, left, right, start }) {
      const isNow = (side: typeof left | typeof right) =>
        side.type === 'CallExpression' && namesOf(side.callee).join('.') === 'Date.now';
      if (['<', '<=', '>', '>='].includes(operator) && [left, right].some(isNow))
        tell({ start }, 'a loop with a deadline: use expect.poll, or until of test/support/until.ts');
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}

/** `it`, `each` of `it.each(rows)`; empty if it is not made of names. */
function namesOf(callee: Node): string[] {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type === 'CallExpression') return namesOf(callee.callee);
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return [];
  return [...namesOf(callee.object), callee.property.name];
}

/** An object with a time-out in milliseconds. Fields of the product are texts and durations. */
const hasTimeOut = (argument: Node): boolean =>
  argument.type === 'ObjectExpression' &&
  argument.properties.some(
    (property) =>
      property.type === 'Property' &&
      property.key.type === 'Identifier' &&
      TIME_OUTS.includes(property.key.name) &&
      isMilliseconds(property.value),
  );

function isMilliseconds(value: Value): boolean {
  if (value.type === 'Literal') return typeof value.value === 'number';
  if (value.type === 'Identifier') return !DECLARED.includes(value.name);
  return ['BinaryExpression', 'ConditionalExpression'].includes(value.type);
}

/** The last argument of a test or a hook, or options that are not spelled out. */
function hasTimeOutArgument({ callee, arguments: given }: Call, root: string): boolean {
  if (HOOKS.includes(root)) return callee.type === 'Identifier' && given.length > 1;
  return TESTS.includes(root) && given.length > 2 && given[1]?.type !== 'ObjectExpression';
}
