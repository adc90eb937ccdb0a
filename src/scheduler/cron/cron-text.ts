// The grammar of cron expressions. croner reads fields leniently (`L15` is the 15th and the last day, `1W5` the 1st); a
// mistyped schedule must be refused, so each field is matched against its grammar before croner reads it.

/** Longer expressions are refused without parsing. */
const MAX_CHARACTERS = 255;

interface Field {
  /** The last value, for `5/15`: from 5 to the end in steps of 15. */
  readonly last: number;
  readonly item: RegExp;
}

const MONTH = '(?:\\d{1,2}|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)';
const WEEKDAY = '(?:[0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)';

const SECOND = fieldOf('\\d{1,2}', 59);
const FIELDS: readonly Field[] = [
  fieldOf('\\d{1,2}', 59),
  fieldOf('\\d{1,2}', 23),
  fieldOf('\\d{1,2}', 31, '\\?|L|\\d{1,2}W'),
  fieldOf(MONTH, 12),
  fieldOf(WEEKDAY, 6, `\\?|${WEEKDAY}(?:L|#[1-5L])`),
];

/**
 * The six fields of a text of five or six, seconds first, as croner takes them; undefined for an invalid field. croner
 * checks the bounds of numbers.
 */
export function cronFields(text: string): string[] | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const given = text
    .trim()
    .toUpperCase()
    .split(/[ \t]+/);
  const rules = given.length === 6 ? [SECOND, ...FIELDS] : FIELDS;
  if (given.length !== rules.length) return undefined;
  const fields = given.map((field, index) => fitting(field, rules[index]));
  if (!fields.every((field) => field !== undefined)) return undefined;
  return fields.length === 6 ? fields : ['0', ...fields];
}

function fieldOf(value: string, last: number, further?: string): Field {
  const plain = `${value}|${value}-${value}|(?:\\*|${value}|${value}-${value})/\\d{1,2}|\\*`;
  return { last, item: new RegExp(`^(?:${plain}${further ? `|${further}` : ''})$`) };
}

function fitting(field: string, rule: Field | undefined): string | undefined {
  if (!rule) return undefined;
  // The last working day: croner accepts it only as the whole field.
  if (field === 'LW') return rule === FIELDS[2] ? field : undefined;
  const items = field.split(',');
  if (!items.every((item) => rule.item.test(item))) return undefined;
  return items.map((item) => item.replace(/^(\w+)\//, `$1-${rule.last}/`)).join(',');
}
