// The meaning of parameters and fields: a sentence in the place where each is declared.

import type { JsonSchema, Params, Reader } from './params/params.ts';

/** Sentences by the names of parameters or fields. */
export type Meanings = Readonly<Record<string, string>>;

/** The schema with what it means in one place: a sentence, followed by what the schema itself notes in its comment. */
export function describedSchema(schema: JsonSchema, meaning: string, example?: unknown): JsonSchema {
  const { $comment: note, ...rest } = schema;
  const description = note === undefined || meaning.endsWith(String(note)) ? meaning : `${meaning} ${note}`;
  const examples = example === undefined ? {} : { examples: [example] };
  // A named schema keeps its own meaning: it stands in many places.
  return schema.title === undefined
    ? { ...rest, description, ...examples }
    : { anyOf: [schema], description, ...examples };
}

/** The same parameter with its meaning, in one sentence, and an example where the schema has none that tells enough. */
export const described = <R extends Reader<unknown>>(reader: R, meaning: string, example?: unknown): R => ({
  ...reader,
  schema: describedSchema(reader.schema, meaning, example),
});

/** The parameters, each without a meaning of its own with that of its name. */
export const describedBy = <P extends Params>(params: P, meanings: Meanings): P =>
  // Names and types stay as they are.
  Object.fromEntries(
    Object.entries(params).map(([name, reader]) => [
      name,
      isMeant(reader.schema) ? reader : meant(reader, meanings[name]),
    ]),
  ) as P;

const isMeant = ({ description }: JsonSchema) => description !== undefined;

const meant = (reader: Reader<unknown>, meaning: string | undefined) =>
  meaning === undefined ? reader : described(reader, meaning);
