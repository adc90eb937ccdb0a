// The user's state folder: files that one run of a command leaves for the next.

import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Invocation } from '#cli/kit/command.ts';

export const stateFolder = ({ XDG_STATE_HOME, HOME }: Invocation['environment']): string =>
  join(XDG_STATE_HOME || join(HOME || homedir(), '.local', 'state'), 'vigil');
