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
  recordPromises(maker);
  stagingPromises(maker);
  sourceOffsetPromises(maker);
  figurePromises(maker);
  planPromises(maker);
  windowPromises(maker);
}
