// Counts the work of matching a pattern in steps. RE2's time is linear in the text, but with a factor of up to the size
// of the pattern, and a search for all matches may read the rest of the text for each, so the length of the text is not
// enough. The internal engines of the library are therefore counted while they run: created states, moved threads, read
// characters. A test per engine fails if a new version of the library works differently.

import type { RE2JS } from 're2js';
import type { Steps } from '#query/model/run-facts.ts';

type Engine = ReturnType<RE2JS['re2']>;

/** The input interface of the library's engines. */
interface Input {
  step(position: number): number;
  endPos(): number;
}

/** The engine that simulates all threads of a pattern at once. */
interface Machine {
  step(threads: { readonly size: number }, ...others: readonly unknown[]): void;
}

/** Steps for 64 characters that the automaton reads in known states. */
const KNOWN_STATE_WEIGHT = 5;
/**
 * Steps for 64 characters of the engine that reads one character after the other and may read it repeatedly; measured in
 * code that the JIT compiler has not optimized: on a busy machine it comes late.
 */
const READ_WEIGHT = 320;
/** Fixed steps of each search before its first character. */
const SEARCH_STEPS = 4;
/** Steps for 64 characters between the start of a search and the end of the text. */
const SEARCH_WEIGHT = 1 / 8;
/** Steps for creating an unknown state of the automaton, in addition to one per thread in it. */
const STATE_STEPS = 4;

/** Makes every later match of the pattern take its steps from the meter that is current at that time. */
export function countWork(regex: RE2JS, meter: () => Steps | undefined): void {
  const engine = regex.re2();
  countSearches(engine, meter);
  countThreads(engine, meter);
  countStates(engine, meter);
}

/** Counts each search; finding all matches takes many searches. */
function countSearches(engine: Engine, meter: () => Steps | undefined): void {
  const execute = engine.executeEngine.bind(engine);
  engine.executeEngine = (input: Input, position: number, anchor: unknown, groups: number, state?: unknown) => {
    const steps = meter();
    if (!steps) return execute(input, position, anchor, groups, state);
    const length = input.endPos() - position;
    if (groups === 0) steps.takeCharacters(length, KNOWN_STATE_WEIGHT);
    else {
      steps.takeWork(SEARCH_STEPS);
      steps.takeCharacters(length, SEARCH_WEIGHT);
      countReads(input, steps);
    }
    return execute(input, position, anchor, groups, state);
  };
}

function countReads(input: Input, steps: Steps): void {
  const read = input.step.bind(input);
  let reads = 0;
  input.step = (position) => {
    reads += 1;
    if (reads === 64) {
      steps.takeCharacters(64, READ_WEIGHT);
      reads = 0;
    }
    return read(position);
  };
}

function countThreads(engine: Engine, meter: () => Steps | undefined): void {
  const execute = engine.doExecuteNFA.bind(engine);
  const counted = new WeakSet<Machine>();
  engine.get = () => {
    const machine: (Machine & object) | undefined = engine.machinePool.pop();
    if (!machine || counted.has(machine)) return machine ?? null;
    counted.add(machine);
    const step = machine.step.bind(machine);
    machine.step = (threads, ...others) => {
      meter()?.takeWork((threads.size >> 1) + 1);
      step(threads, ...others);
    };
    return machine;
  };
  engine.doExecuteNFA = (input: Input, position: number, anchor: unknown, groups: number, state?: unknown) => {
    // The library creates a machine if its pool is empty and returns it to the pool: running one on empty input fills
    // the pool.
    if (engine.machinePool.length === 0) execute(NOTHING, 0, anchor, groups, engine.createLookbehindState());
    return execute(input, position, anchor, groups, state);
  };
}

const EOF = -8;
const NOTHING = {
  step: () => EOF,
  endPos: () => 0,
  index: () => -1,
  context: () => 0,
  canCheckPrefix: () => false,
  prefixLength: () => 0,
};

/** The library creates the automaton with the first text that needs it. */
function countStates(engine: Engine, meter: () => Steps | undefined): void {
  const counted = new WeakSet<object>();
  const { dfa } = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(engine));
  Object.defineProperty(engine, 'dfa', {
    get: () => {
      const automaton: Engine['dfa'] = dfa?.get?.call(engine);
      if (counted.has(automaton)) return automaton;
      counted.add(automaton);
      const getState = automaton.getState.bind(automaton);
      automaton.getState = (threads: { readonly length: number }, flag: unknown, ids: unknown) => {
        meter()?.takeWork(threads.length + STATE_STEPS);
        return getState(threads, flag, ids);
      };
      return automaton;
    },
  });
}
