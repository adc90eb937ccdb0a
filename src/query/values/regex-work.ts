// What matching a pattern costs, in steps. RE2 takes a time that grows with the text alone, but by a factor of up to the size
// of the pattern, and whoever looks for all matches may read the rest of the text for each: characters alone would tell too
// little. So the engines of the library are counted while they work: states that it makes, threads that it moves, characters
// that it looks at. A test per engine finds out when another version of the library works otherwise.

import type { RE2JS } from 're2js';
import type { Steps } from '#query/model/run-facts.ts';

type Engine = ReturnType<RE2JS['re2']>;

/** The text as engines read it. */
interface Input {
  step(position: number): number;
  endPos(): number;
}

/** Simulates all threads of a pattern at once. */
interface Machine {
  step(threads: { readonly size: number }, ...others: readonly unknown[]): void;
}

/** Of 64 characters that the automaton passes whose states are known. */
const KNOWN_STATE_WEIGHT = 5;
/** Of 64 characters of which one engine looks at one after the other, each as often as it likes; as long as it takes at first. */
const LOOK_WEIGHT = 40;
/** For each search: what it needs before it looks at the first character. */
const SEARCH_STEPS = 4;
/** And of 64 characters behind the place where it begins. */
const SEARCH_WEIGHT = 1 / 8;
/** Of making a state that the automaton did not know, beside one for each thread in it. */
const STATE_STEPS = 4;

/** From now on matching takes its steps from the meter that there is then. */
export function countWork(regex: RE2JS, meter: () => Steps | undefined): void {
  const engine = regex.re2();
  countSearches(engine, meter);
  countThreads(engine, meter);
  countStates(engine, meter);
}

/** Each search for a match, of which there are many where all matches are looked for. */
function countSearches(engine: Engine, meter: () => Steps | undefined): void {
  const execute = engine.executeEngine.bind(engine);
  engine.executeEngine = (input: Input, position: number, anchor: unknown, places: number, state?: unknown) => {
    const steps = meter();
    if (!steps) return execute(input, position, anchor, places, state);
    const length = input.endPos() - position;
    if (places === 0) steps.takeCharacters(length, KNOWN_STATE_WEIGHT);
    else {
      steps.takeWork(SEARCH_STEPS);
      steps.takeCharacters(length, SEARCH_WEIGHT);
      countLooks(input, steps);
    }
    return execute(input, position, anchor, places, state);
  };
}

function countLooks(input: Input, steps: Steps): void {
  const look = input.step.bind(input);
  let looks = 0;
  input.step = (position) => {
    looks += 1;
    if (looks === 64) {
      steps.takeCharacters(64, LOOK_WEIGHT);
      looks = 0;
    }
    return look(position);
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
  engine.doExecuteNFA = (input: Input, position: number, anchor: unknown, places: number, state?: unknown) => {
    // The library makes a machine where none is left, and keeps it afterwards: the first one works on nothing.
    if (engine.machinePool.length === 0) execute(NOTHING, 0, anchor, places, engine.createLookbehindState());
    return execute(input, position, anchor, places, state);
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

/** The automaton is made with the first text that needs it. */
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
