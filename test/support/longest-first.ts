// Begins with the files that take longest, so that no worker is left alone with one of them at the end, and spreads those that
// mostly wait among the others, so that the processors have work meanwhile. Files of a part stay together: a worker that goes
// on with another part has to start anew.

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { costKey, readTimes, type Times } from './times.ts';

/** A worker of three waits, the others work. */
const OTHERS_PER_WAITING = 2;
/** Of its time; a file that works less mostly waits. */
const WORKING_SHARE = 0.4;

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readTimes();
    const timeOf = ({ project, moduleId }: TestSpecification) =>
      times[costKey(project.name, relative(this.ctx.config.root, moduleId))] ?? NO_TIME;
    const parts = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...parts.values()].flatMap((part) => spread(part, timeOf));
  }
}

type Time = Times[string];
const NO_TIME: Time = [0, 0];

function spread(files: readonly TestSpecification[], timeOf: (file: TestSpecification) => Time): TestSpecification[] {
  const longestFirst = files.toSorted((one, other) => timeOf(other)[0] - timeOf(one)[0]);
  const isWaiting = (file: TestSpecification) => {
    const [seconds, processorSeconds] = timeOf(file);
    return processorSeconds < seconds * WORKING_SHARE;
  };
  const waiting = longestFirst.filter(isWaiting);
  const others = longestFirst.filter((file) => !isWaiting(file));
  const mixed = waiting.flatMap((file, at) => [
    file,
    ...others.slice(at * OTHERS_PER_WAITING, (at + 1) * OTHERS_PER_WAITING),
  ]);
  return [...mixed, ...others.slice(waiting.length * OTHERS_PER_WAITING)];
}
