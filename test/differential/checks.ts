// All checks, in the order in which a run goes round them.

import { aggregates } from './aggregates.ts';
import type { AnyCheck } from './check.ts';
import { expressions } from './expressions.ts';
import { pipelines, stages } from './pipelines.ts';

export const checks: readonly AnyCheck[] = [expressions, pipelines, aggregates, stages];
