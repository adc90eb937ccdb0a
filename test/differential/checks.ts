// All checks, in the order in which a run goes round them.

import { aggregates } from './aggregates.ts';
import type { AnyCheck } from './check.ts';
import { expressions } from './expressions.ts';
import { laws, prints } from './laws.ts';
import { phaseLaw } from './phases.ts';
import { pipelines, stages } from './pipelines.ts';
import { records } from './records.ts';

export const checks: readonly AnyCheck[] = [
  expressions,
  records,
  pipelines,
  aggregates,
  laws,
  prints,
  stages,
  phaseLaw,
];
