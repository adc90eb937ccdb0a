// Whether a pattern names files below a folder and nowhere else. Braces make several patterns of one, and their number
// grows with every pair, so it is bounded before anybody looks for files.

const MAX_ALTERNATIVES = 100;

export function staysBelow(pattern: string): boolean {
  if (pattern.includes('\0')) return false;
  return alternativesOf(pattern)?.every(isBelow) === true;
}

function isBelow(pattern: string): boolean {
  // A letter alone in brackets, or behind a backslash, stands for itself.
  const plain = pattern.replaceAll(/\[(.)\]|\\(.)/g, '$1$2');
  return !plain.startsWith('/') && !plain.split('/').includes('..');
}

/** The patterns without braces that it stands for; undefined when they are too many, or a sequence such as `{1..9}`. */
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

/** The first braces with something to choose from in them. */
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

/** What stands between the commas up to the brace that closes, and where that is. */
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
