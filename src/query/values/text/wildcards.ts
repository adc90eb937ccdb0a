// Wildcards (4.4): the texts between stars are searched from left to right, and the last one at the end.

type TextTest = (text: string) => boolean;

/** `parts` are the texts between stars; a single part must be the whole text. */
export function wildcardTest(parts: readonly string[]): TextTest {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return (text) => text === first;
  const least = first.length + last.length;
  return (text) => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of others) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

/**
 * The parts of a pattern that is a value: `*` is any run, `\*` a star, `\\` a backslash, any other backslash itself.
 */
export function likeParts(pattern: string): string[] {
  const parts = [''];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const next = pattern.charAt(at + 1);
    const isEscape = character === '\\' && (next === '*' || next === '\\');
    if (character === '*') parts.push('');
    else parts.push((parts.pop() ?? '') + (isEscape ? next : character));
    if (isEscape) at += 1;
  }
  return parts;
}
