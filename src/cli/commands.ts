// The list of all subcommands. Each is loaded when it is asked for: starting the service must not wait for the others.

import type { Command } from './command.ts';

interface Listed {
  readonly name: string;
  load(): Promise<Command>;
}

export const commands: readonly Listed[] = [{ name: 'serve', load: async () => (await import('./serve.ts')).serve }];
