// Checks that a pattern matches only files below its folder. Braces expand to several patterns, and their number grows with
// every pair, so it is bounded before files are listed.

const MAX_ALTERNATIVES = 100;

export function staysBelow(pattern: string): boolean {
  if (pattern.includes('\0')) return false;
  return alternativesOf(pattern)?.every(isBelow) === true;
}

function isBelow(pattern: string): boolean {
  // A single character in brackets, or after a backslash, is literal.
  const plain = pattern.replaceAll(/\[(.)\]|\\(.)/g, '$1$2');
  return !plain.startsWith('/') && !plain.split('/').includes('..');
}

/** The expanded patterns; undefined for too many, or for a sequence such as `{1..9}`. */
function alternativesOf(pattern: string): string[] | undefined {
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = groupIn(next);
    if (!group) done.push(next);
    else if (group.choices.some((choice) => choice.includes('..'))) return undefined;
    else waiting.push(...group.choices.map((choice) => group.before + choice + group.after));
    if (done.length + waiting.length > MAX_ALTERNATIVES) return undefined;
  }
  return done;
}

interface Group {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The first braces with alternatives. */
function groupIn(pattern: string): Group | undefined {
  for (let from = pattern.indexOf('{'); from !== -1; from = pattern.indexOf('{', from + 1)) {
    const found = choicesFrom(pattern, from + 1);
    if (!found) continue;
    const { choices, end } = found;
    if (choices.length === 1 && !choices[0]?.includes('..')) continue;
    return { before: pattern.slice(0, from), choices, after: pattern.slice(end + 1) };
  }
  return undefined;
}

/** The alternatives up to the closing brace, and its position. */
function choicesFrom(pattern: string, from: number): { choices: string[]; end: number } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let begun = from;
  for (let at = from; at < pattern.length; at += 1) {
    const letter = pattern.charAt(at);
    if (letter === '{') depth += 1;
    if (depth === 0 && (letter === ',' || letter === '}')) {
      choices.push(pattern.slice(begun, at));
      begun = at + 1;
    }
    if (letter !== '}') continue;
    if (depth === 0) return { choices, end: at };
    depth -= 1;
  }
  return undefined;
}
