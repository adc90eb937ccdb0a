// The clock of a process that is wrong, and jumps while the process runs: Debian's libfaketime between the process and the C library.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './debian-package.ts';

const LIBRARIES = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketimeMT.so.1`);

export interface WrongClock {
  /** What the process is started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ahead of the right time, or behind it. The process follows within a second. */
  set(offset: Temporal.Duration): void;
}

/** Why no clock can be wrong, after an attempt to install the library; empty where one can. */
export function wrongClocksMissing(): string {
  if (!libraryOf()) installPackages('libfaketime');
  return libraryOf() ? '' : 'no wrong clocks: the Debian package libfaketime is not installed';
}

const libraryOf = (): string | undefined => LIBRARIES.find((path) => existsSync(path));

/** Right at first; `folder` has the file that the library reads. */
export function openWrongClock(folder: string): WrongClock {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'clock');
  const set = (offset: Temporal.Duration) => {
    const seconds = offset.total('seconds');
    writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s`);
  };
  set(Temporal.Duration.from({ seconds: 0 }));
  return {
    environment: {
      LD_PRELOAD: libraryOf() ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      // Timers, and times of files, stay as they are: a clock that is set wrong changes neither.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    set,
  };
}
