// What holds for the whole query language beyond single commands and functions: values, errors, limits. Code is set in backticks.

export const LANGUAGE_RULES: readonly string[] = [
  'Normalized text puts a minus before an operand in parentheses, `a == (-1)`, writes `a or b or c` as `(a or b) or c`, and keeps `.0` of doubles. Bare time text is accepted as an option, because normalized text writes it so.',
  'A field name has letters, digits, `_`, `@`, `.` and `:`, and ends in neither of the last two. Where no expression can stand, such as in lists, behind `as` and left of `=`, it may begin with a digit or have digits alone; in an expression a word that begins with a digit is a name if it holds a letter or `_` and is no duration such as `10m`. Any other name is written `field("…")`.',
  'One pipe at the beginning of a query and one comma at the end of a list of names or assignments are left out. A name written twice in a list counts once, at its first place, with a warning; of two aggregates with one name the last counts.',
  'A segment that begins with `#` is a comment up to the next pipe outside of its own brackets. A bracket that a comment opens and never closes makes the rest of the text part of the comment (warning 90905).',
  'An error of a missing part stands at the end, without width; of an unclosed part at its opening mark. `AND`, `OR` and `NOT` are 90203; other words in another case are 90012 with the right one suggested.',
  'A number too large for a double is 90206 in a text. In a stored record it is kept as sent and is null where values are compared, counted, grouped or computed; as a condition by itself (`search a`) it counts as there.',
  'Dates have the years 1 to 9999; beyond them they are null. In patterns `yy` is 20yy, and `X` writes minutes only where there are any.',
  'Of 1 and 1.0 `min()` and `max()` take the first, the aggregates either. `{"$date": …}` and `{"$binary": …}` in records are dates and binaries where they are exactly that: one member with whole milliseconds or base64.',
  'Limits of a text (90009): 65,536 parts (a word is one; so are eight marks and 128 characters of a string), 256 commands together with those of subqueries and called procedures, 256 levels of an expression, 192 assignments that read one another, 50,000 values in `params`, 4,096 states of a regular expression, 1,000 characters of a date pattern, 8,388,608 characters and elements for constants. At most 100 warnings are reported.',
  'A value computed by the host has at most 16,777,216 characters and elements, an element counting as four; `replace()` lets a text grow to 1 MiB. Beyond that the query ends with 93003; in a stream rule the value is null. A row may make `list-elements` elements and need `rule-steps` steps (93010).',
  'A query that exhausts memory or disk ends with 93003; without a row delivered it first runs once more on an instance of its account, over the data stored by then. A query beyond `query-time`, counted from its start, is 93000.',
  'A key of `encrypt` or `decrypt` in the text is shown where the text is; give it in `params` under a name that begins with `secret`.',
  'Zones whose rules changed lately may differ by the release of the zone database: dates in columns of several types, and dates far from the present, go by that of DuckDB, all others by that of Node.',
];
