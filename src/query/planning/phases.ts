// Where a pipeline is cut into phases (7.0): a driver behind rows begins a new one, and the set and setq directly before it
// belong to it.

import type { LostCommand, ParsedCommand } from './command.ts';

/** A command of a pipeline, or one that cannot be read. */
export type PipelineStep = ParsedCommand | LostCommand;

export const isRead = (step: PipelineStep): step is ParsedCommand => 'plan' in step;

const isDriver = (step: PipelineStep): boolean => (isRead(step) ? step.isDriver : step.declaration?.class === 'driver');

const precedesDriver = ({ declaration }: PipelineStep): boolean => declaration?.mayPrecedeDriver ?? false;

/** The steps of each phase, in the order of the text. */
export function phasesOf(steps: readonly PipelineStep[]): readonly (readonly PipelineStep[])[] {
  const phases: PipelineStep[][] = [];
  let phase: PipelineStep[] = [];
  for (const step of steps) {
    if (isDriver(step) && !phase.every(precedesDriver)) {
      const constants = phase.splice(phase.findLastIndex((one) => !precedesDriver(one)) + 1);
      phases.push(phase);
      phase = constants;
    }
    phase.push(step);
  }
  return [...phases, phase];
}

/** The driver that drops the rows of the phase before it; undefined where there are none. */
export function droppingDriver(
  before: readonly PipelineStep[],
  phase: readonly PipelineStep[],
): ParsedCommand | undefined {
  const driver = phase.find((step) => isRead(step) && step.isDriver);
  const isSilent = !driver || !isRead(driver) || isWithoutRows(before);
  return isSilent ? undefined : driver;
}

/** Whether the last command of a phase has dropped its rows, or the phase is that command alone and makes none. */
function isWithoutRows(phase: readonly PipelineStep[]): boolean {
  const last = phase.at(-1);
  const isAlone = phase.findIndex((step) => !precedesDriver(step)) === phase.length - 1;
  return (last?.declaration?.dropsRows ?? false) || (isAlone && (last?.declaration?.isEmptyAtBeginning ?? false));
}
