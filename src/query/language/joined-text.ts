// The one text that two texts of a pipeline are shown as. Apart from the language, because whoever only shows it must not
// bring the language along.

export const JOINT = ' | ';

/** Positions of mistakes in either text are those in this one. */
export const joinedText = (first: string, rest: string): string => `${first}${JOINT}${rest}`;
