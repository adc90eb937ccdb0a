// What a log engine promises, whatever it is built on: a second engine passes the same suite. The files of an engine, its
// memory and its recovery are tested beside it.

import { figurePromises } from './figures.ts';
import { planPromises } from './plans.ts';
import { recordPromises } from './records.ts';
import { sourceOffsetPromises } from './source-offsets.ts';
import { stagingPromises } from './staging.ts';
import type { EngineMaker } from './suite.ts';
import { windowPromises } from './windows.ts';

export function engineConformance(maker: EngineMaker): void {
  formConformance(maker);
  figurePromises(maker);
  planPromises(maker);
  windowPromises(maker);
}

/** The promises that are tried on each form of a table, alone: for more forms of an engine whose others are held elsewhere. */
export function formConformance(maker: EngineMaker): void {
  recordPromises(maker);
  stagingPromises(maker);
  sourceOffsetPromises(maker);
}
