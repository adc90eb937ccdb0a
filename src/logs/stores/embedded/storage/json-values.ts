// Values as JSON text in SQL, and back.

import type { LeafType } from '#logs/leaf-shapes.ts';
import type { ColumnType } from '#logs/stores/shared/columns.ts';

/** A value of a type, which is not null, as JSON text. */
const TEXTS: Readonly<Record<LeafType | ColumnType, (value: string) => string>> = {
  VARCHAR: (value) => `to_json(${value})::varchar`,
  BIGINT: (value) => `${value}::varchar`,
  DOUBLE: doubleText,
  BOOLEAN: (value) => `${value}::varchar`,
  JSON: (value) => `${value}::varchar`,
};

export const jsonOf = (type: LeafType | ColumnType, value: string): string => TEXTS[type](value);

/** Null for a whole number that is no long: none is in a column. */
function doubleText(value: string): string {
  return `case when ${value} = trunc(${value}) then try_cast(${value} as bigint)::varchar else to_json(${value})::varchar end`;
}

/** Of JSON of any type the value that a column of a type has of it: null where it would not come back as the same text. */
export function valueIn(type: ColumnType, json: string): string {
  const text = `${json}::varchar`;
  switch (type) {
    case 'VARCHAR':
      return `case when starts_with(${text}, '"') and to_json(${json}->>'$')::varchar = ${text} then ${json}->>'$' end`;
    case 'BOOLEAN':
      return `case ${text} when 'true' then true when 'false' then false end`;
    case 'DOUBLE':
      return doubleIn(text);
    case 'BIGINT':
      return `case when not contains(${text}, '.') then try_cast(${doubleIn(text)} as bigint) end`;
  }
}

function doubleIn(text: string): string {
  const double = `try_cast(${text} as double)`;
  return `case when (${doubleText(double)}) = ${text} then ${double} end`;
}
