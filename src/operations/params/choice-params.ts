// Parameters that are choices: several of a closed set, and those that count only with another one.

import { notOneOf } from '#contract/errors.ts';
import { LOCALES, type Locale, languageOf } from '#contract/values.ts';
import { list, type Reader, single } from './params.ts';

/** Items of a closed set, each once. */
export function someOf<const V extends readonly string[]>(values: V): Reader<V[number][] | undefined> {
  const reader = list({ type: 'string', enum: values }, (given, name): V[number] => {
    const value = values.find((candidate) => candidate === given);
    if (value === undefined) throw notOneOf(name, values);
    return value;
  });
  return {
    ...reader,
    read(given, name, context) {
      const chosen = reader.read(given, name, context);
      return chosen && [...new Set(chosen)];
    },
  };
}

/** Capital letters or small: a pattern of JSON Schema has no flag for it. */
const inAnyCase = (text: string): string => text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** Kept as its language part. */
export const locale: Reader<Locale | undefined> = single(
  {
    type: 'string',
    pattern: `^(${LOCALES.map(inAnyCase).join('|')})([-_].*)?$`,
    $comment: 'Only the language part is read, as in `ko-KR`.',
    examples: LOCALES,
  },
  (given, name) => {
    const language = typeof given === 'string' ? languageOf(given) : undefined;
    if (language === undefined) throw notOneOf(name, LOCALES);
    return language;
  },
);

/** Read where an earlier parameter has a certain value; otherwise whatever is given is not looked at. */
export function onlyWith<T>(earlierName: string, wanted: string, reader: Reader<T>): Reader<T | undefined> {
  const condition = `${reader.isRequired ? 'Required' : 'Read'} with \`${earlierName}\` \`${wanted}\`.`;
  const { $comment: note } = reader.schema;
  return {
    ...reader,
    isRequired: false,
    schema: { ...reader.schema, $comment: note === undefined ? condition : `${note} ${condition}` },
    read: (given, name, context, earlier = {}) =>
      earlier[earlierName] === wanted ? reader.read(given, name, context, earlier) : undefined,
  };
}
