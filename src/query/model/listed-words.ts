// The widest words that are names (2.5, LISTED), where no expression can stand: `time+`, `user-agent`, `sum(x)`.

const LISTED = /^[\p{L}\p{Nd}_@(<%](?:[\p{L}\p{Nd}\p{M}_@.:+\-/%()<>]*[\p{L}\p{Nd}\p{M}_@+\-/%()<>])?$/u;

/** True for letters, digits and signs of names, with balanced parentheses. */
export const isListedWord = (word: string): boolean => LISTED.test(word) && isBalanced(word);

/** True for the name of a group of `rex`, whose marks end at the first `>`. */
export const isGroupName = (name: string): boolean => isListedWord(name) && !/[<>]/.test(name);

function isBalanced(word: string): boolean {
  let depth = 0;
  for (const mark of word) {
    if (mark === '(') depth += 1;
    if (mark === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
