// Failures that end a run while it processes rows (93xxx). Any other problem with a value gives null.

export type RunFailureCode = 22102 | 93010 | 93011;

/** `most` is the limit that was exceeded. */
export class RunFailure extends Error {
  readonly code: RunFailureCode;
  readonly most: number;

  constructor(code: RunFailureCode, most: number) {
    super(failureText(code, most));
    this.code = code;
    this.most = most;
  }
}

/**
 * A row takes more steps, or makes more elements, than allowed. A rule does not match such a record; a query over such
 * a row fails.
 */
export class StepsExceeded extends RunFailure {
  constructor(most: number) {
    super(93010, most);
  }
}

/** The message of a failure that an engine can report only as text. */
export const failureText = (code: RunFailureCode, most: number): string => `vigil failure ${code} beyond ${most}`;

/** The failure that the error message of an engine contains; undefined for an error of the engine itself. */
export function failureIn(text: string): RunFailure | undefined {
  const [, code, most] = /vigil failure (22102|93010|93011) beyond (\d+)/.exec(text) ?? [];
  if (code === undefined) return undefined;
  return new RunFailure(Number(code) as RunFailureCode, Number(most)); // The expression matches no other code.
}

/** Default limit of the elements that the lists of one row may make together. */
export const DEFAULT_LIST_ELEMENTS = 1_000_000;

/** The limit of a run. */
export const maxElements = ({
  listElements = DEFAULT_LIST_ELEMENTS,
}: {
  readonly listElements?: number | undefined;
}): number => listElements;

/** The error message of a statement whose local calls exceed their budget. */
export const LOCAL_BUDGET_EXCEEDED = 'vigil failure: too heavy for a statement';

/** Limit of a text that is built from columns of a row. */
export const MAX_TEXT_BYTES = 2 ** 20;

/** Limit of the texts and lists in one list of a row; nested ones are multiplied. */
export const MAX_ROW_BYTES = 2 ** 28;
/** Limit of the texts and lists that the elements of a row read, counted once per read. */
export const MAX_ROW_READ_BYTES = 2 ** 31;

/** The error message of a longer text, raised before the engine runs out of memory. */
export const TEXT_TOO_LONG = 'vigil failure: a text of a row is too long';

/** Limit of a value that the local evaluator makes of a row, in characters and elements: larger than any constant. */
export const MAX_VALUE = 2 ** 24;

/**
 * A value of a row exceeds MAX_VALUE. In a stream rule the value is null instead, because no record may make a rule
 * fail.
 */
export class ValueTooLarge extends RangeError {
  constructor() {
    super(VALUE_TOO_LARGE);
  }
}

const VALUE_TOO_LARGE = `vigil failure: a value is larger than ${MAX_VALUE}`;

/** True if an error message of an engine or of Node says that a value is too large. */
export const isSizeError = (text: string): boolean =>
  text.includes(TEXT_TOO_LONG) || text.includes(VALUE_TOO_LARGE) || NODE_SIZE_ERROR.test(text);

const NODE_SIZE_ERROR =
  /Invalid (string|(typed )?array) length|Array buffer allocation failed|Cannot create a string longer than|cannot be cloned, out of memory/;
