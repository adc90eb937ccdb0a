// Joins two texts of a pipeline into the one text that is shown. It stands apart from the parser, because a module that
// only shows the text must not load the language.

export const JOINT = ' | ';

/** Error positions in either text are positions in the joined text. */
export const joinedText = (first: string, rest: string): string => `${first}${JOINT}${rest}`;
