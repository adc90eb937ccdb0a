// The fields of a text by DuckDB itself, for the texts that it certainly reads as the local evaluator does: a flat JSON object, or
// plain pairs. A regular expression tells them: without escapes, white space in names, numbers that a double cannot
// hold, or lists and maps in lists, which DuckDB reads differently or where equal keys could hide. All others go to the
// local evaluator.

import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import type { ParseMethod } from '#query/values/formats/parsed-text.ts';

/** SQL over the text: whether DuckDB reads it exactly, and the JSON object of its fields then. */
interface ExactFields {
  readonly isExact: string;
  readonly made: string;
}

/** `text` is plain. Undefined for a method whose texts all go to the local evaluator. */
export function exactFields(text: string, method: ParseMethod, compiler: PlanCompiler): ExactFields | undefined {
  if (method.format === 'json') return isStrict(method) ? flatObject(text, compiler) : undefined;
  return method.format === 'kv' ? plainPairs(text, method, compiler) : undefined;
}

const isStrict = ({ flatten, lenient, cutoff }: Extract<ParseMethod, { format: 'json' }>): boolean =>
  !flatten && !lenient && cutoff === undefined;

const GAP = '[ \\t\\r\\n]*';
const TEXT = '"[^"\\\\\\x00-\\x1f]*"';
/** No minus before zero, and no more digits than a double always keeps. */
const NUMBER = '(0|-?[1-9][0-9]{0,14})([.][0-9]{1,15})?';
const SCALAR = `(${TEXT}|${NUMBER}|true|false|null)`;
const listed = (one: string): string => `(${one}(${GAP},${GAP}${one})*)?`;
const LIST = `\\[${GAP}${listed(SCALAR)}${GAP}\\]`;
const NAME = '"[^"\\\\\\x00-\\x20]([^"\\\\\\x00-\\x1f]*[^"\\\\\\x00-\\x20])?"';
const MEMBER = `${NAME}${GAP}:${GAP}(${SCALAR}|${LIST})`;
const FLAT_OBJECT = `${GAP}\\{${GAP}${listed(MEMBER)}${GAP}\\}${GAP}`;

/** DuckDB cannot be interrupted while it reads a text. */
const MAX_BYTES = 65_536;

/** True for a short text of this form. */
const hasForm = (text: string, pattern: string, compiler: PlanCompiler): string =>
  `strlen(${text}) <= ${MAX_BYTES} and regexp_full_match(${text}, ${compiler.bind(pattern).text})`;

const areDistinct = (list: string): string => `len(list_distinct(${list})) = len(${list})`;

function flatObject(text: string, compiler: PlanCompiler): ExactFields {
  const isFlat = hasForm(text, FLAT_OBJECT, compiler);
  const keys = `json_keys(${text}::json)`;
  return { isExact: `case when ${isFlat} then ${areDistinct(keys)} else false end`, made: `json(${text})` };
}

/** A mark that stands for itself inside of a class of characters. */
const PLAIN_MARK = /^[ ,;|:=&#@~/]$/;

function plainPairs(
  text: string,
  { pairDelimiter, keyDelimiter }: Extract<ParseMethod, { format: 'kv' }>,
  compiler: PlanCompiler,
): ExactFields | undefined {
  if (!PLAIN_MARK.test(pairDelimiter) || !PLAIN_MARK.test(keyDelimiter) || pairDelimiter === keyDelimiter) {
    return undefined;
  }
  const name = `[^"\\s${pairDelimiter}${keyDelimiter}]+`;
  const pair = `${name}${keyDelimiter === '|' ? '[|]' : keyDelimiter}[^"\\s${pairDelimiter}]*`;
  const between = `[${pairDelimiter}]+`;
  const pattern = `(${between})?${pair}(${between}${pair})*(${between})?`;
  const pairs = compiler.bind(pairDelimiter).text;
  const key = compiler.bind(keyDelimiter).text;
  const pieces = `list_filter(str_split(${text}, ${pairs}), lambda p: p <> '')`;
  const names = `list_transform(${pieces}, lambda p: split_part(p, ${key}, 1))`;
  const values = `list_transform(${pieces}, lambda p: substr(p, instr(p, ${key}) + 1))`;
  return {
    isExact: `case when ${hasForm(text, pattern, compiler)} then ${areDistinct(names)} else false end`,
    made: `to_json(map_from_entries(list_zip(${names}, ${values})))`,
  };
}
