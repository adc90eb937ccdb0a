// What ends a run while it moves rows (93xxx). Everything else that goes wrong with a value is null.

export type RunFailureCode = 22102 | 93010 | 93011;

/** `most`: the number that was passed. */
export class RunFailure extends Error {
  readonly code: RunFailureCode;
  readonly most: number;

  constructor(code: RunFailureCode, most: number) {
    super(failureText(code, most));
    this.code = code;
    this.most = most;
  }
}

/** A row needs more steps, or makes more elements, than it may. A rule does not match such a record; a query over such a row fails. */
export class StepsExceeded extends RunFailure {
  constructor(most: number) {
    super(93010, most);
  }
}

/** How a failure is written where an engine can end a statement only with a text. */
export const failureText = (code: RunFailureCode, most: number): string => `vigil failure ${code} beyond ${most}`;

/** The failure in a text of an engine; undefined where it failed for a reason of its own. */
export function failureIn(text: string): RunFailure | undefined {
  const [, code, most] = /vigil failure (22102|93010|93011) beyond (\d+)/.exec(text) ?? [];
  if (code === undefined) return undefined;
  return new RunFailure(Number(code) as RunFailureCode, Number(most)); // The pattern knows no other.
}

/** Elements that the lists of one row may make together, unless a setting says otherwise. */
export const LIST_ELEMENTS = 1_000_000;

/** Of a run. */
export const maxElements = ({ listElements = LIST_ELEMENTS }: { readonly listElements?: number | undefined }): number =>
  listElements;

/** What an engine says where the host takes too long for the rows of a statement. */
export const HEAVY = 'vigil failure: too heavy for a statement';

/** Of a text that is put together from columns of a row. */
export const MAX_TEXT_BYTES = 2 ** 20;

/** Of all texts and lists that a list of one row is made of, nested ones multiplied. */
export const MAX_ROW_BYTES = 2 ** 28;
/** Of the texts and lists that a row reads for its elements, each as often as it is read. */
export const MAX_ROW_READ_BYTES = 2 ** 31;

/** What an engine says of a longer one, where others say that they have no memory left. */
export const TEXT_TOO_LONG = 'vigil failure: a text of a row is too long';

/** What a value may hold that the host makes of a row, in characters and elements: more than any constant can be. */
export const MAX_VALUE = 2 ** 24;

/** A row wants more of the process that answers everybody than it may have. Where no record may stop a rule it is null. */
export class ValueTooLarge extends RangeError {
  constructor() {
    super(VALUE_TOO_LARGE);
  }
}

const VALUE_TOO_LARGE = `vigil failure: a value is larger than ${MAX_VALUE}`;

/** Whether a text of an engine, or of the host, says that a value has grown too large; Node has words of its own for it. */
export const isOfSize = (text: string): boolean =>
  text.includes(TEXT_TOO_LONG) || text.includes(VALUE_TOO_LARGE) || WORDS_OF_NODE.test(text);

const WORDS_OF_NODE =
  /Invalid (string|(typed )?array) length|Array buffer allocation failed|Cannot create a string longer than|cannot be cloned, out of memory/;
