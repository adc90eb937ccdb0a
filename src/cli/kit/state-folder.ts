// Where the command keeps what it must remember from one run to the next: the user's state folder.

import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Invocation } from './command.ts';

export const stateFolder = ({ XDG_STATE_HOME, HOME }: Invocation['environment']): string =>
  join(XDG_STATE_HOME || join(HOME || homedir(), '.local', 'state'), 'vigil');
