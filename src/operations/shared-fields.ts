// Parameters and sentences that many operations share, so that each is worded once.

import { arrayOf, optional, string } from './answers/shapes.ts';
import { described } from './described.ts';
import { flag, guid, guids, orElse, required } from './params/params.ts';

/** The key of the object that a path names. */
export const guidOf = (thing: string) => required(guid, `GUID of the ${thing}.`);

/** The keys of objects that are acted on together. */
export const guidsOf = (things: string) => required(guids, `GUIDs of the ${things}.`);

export const newGuidParam = described(guid, 'GUID of the new object; a random one where it is absent.');

export const dryRun = orElse(
  flag,
  false,
  'Whether nothing is removed: the answer names in `references` the objects that refer to those given.',
);

/** Of the one field of an answer that is an object or null. */
export const foundOrNull = (thing: string): string =>
  `The ${thing}; null where none is found or the caller may not see it.`;

/** Of answers that are put together from those of all living nodes. */
export const unanswered = optional(
  arrayOf(string('Name of a node.', 'n2'))(
    'Nodes that did not answer, whose part is missing; absent where all answered.',
  ),
);

/** As a part of an answer. */
export const namesOfUnanswered = (names: readonly string[]) => (names.length === 0 ? {} : { unanswered: names });
