// How much memory the process has. The system is asked through a file, which a process without a free descriptor cannot open.

import { isOutOfDescriptors } from './descriptors.ts';

let known = 0;

/** Of the whole process. The last answer if there is no descriptor left to ask with. */
export function residentBytes(read: () => number = process.memoryUsage.rss): number {
  try {
    known = read();
  } catch (error) {
    if (!isOutOfDescriptors(error)) throw error;
  }
  return known;
}
