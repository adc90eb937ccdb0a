// The writable fields of a logger model.

import { tooManyCharacters } from '#contract/errors.ts';
import { array, type JsonObject, map, members } from '#http/json-params.ts';
import { oneOf, required, text } from '#http/params.ts';
import { FACTORIES } from './model.ts';

const words = (most: number) => text(most, tooManyCharacters);

const anObject = members({});

export const fields = {
  name: required(words(50)),
  description: words(2000),
  logger_factory_name: required(oneOf(FACTORIES)),
  parser_code: required(words(50)),
  parser_configs: map,
  /** Kept as given: what the rules say is looked at when they are run. */
  rules: array<JsonObject>({ items: { type: 'object' } }, (item, name, circumstances) => {
    anObject(item, name, circumstances);
    return item as JsonObject; // Just checked to be one.
  }),
};
