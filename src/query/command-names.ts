// Names that a procedure may have as a command (8.5): those of this language, its keywords and the words of other languages that
// have a hint are taken.

import { commandNamed } from './commands/index.ts';
import { isForeignCommand } from './hints.ts';

const NAME = /^\p{L}[\p{L}\p{Nd}\p{M}_-]*$/u;
const MAX_NAME = 50;
const KEYWORDS = ['and', 'or', 'not', 'true', 'false', 'null', 'as', 'by', 'rows', 'cols', 'for', 'output', 'from'];

export function mayBeCommand(written: string): boolean {
  const name = written.normalize().trim();
  if (!NAME.test(name) || [...name].length > MAX_NAME) return false;
  const isTaken = commandNamed(name) ?? (KEYWORDS.includes(name) || isForeignCommand(name.toLowerCase()));
  return !isTaken;
}
