// Paths of the file drivers (8.2): absolute below an import folder, or relative to one; a star may stand in the last step.

/** Finds out where paths lead, following links. */
export interface ImportPaths {
  /** False for a path that leads out of the import folders, whether there is a file or not. */
  isInside(path: string): boolean;
}

/** Whether a name fits a pattern in which each star stands for any run of characters. Linear in the name for each star. */
export function fitsPattern(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  let at = first.length;
  const end = name.length - last.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
