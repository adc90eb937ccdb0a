// Procedures that are commands, as the catalogue of the language describes commands.

import type { AnswerFor } from '#client/call.ts';
import type { Catalogue, CommandHelp } from './completion-position.ts';

type Procedure = AnswerFor<'GET /api/core/procedures'>['procedures'][number];

/** Those that the reader may run. */
export const OWN_COMMANDS = { command: true, limit: 10_000 } as const;

/** A command of the language wins over one of the same name. */
export function withOwnCommands(catalogue: Catalogue, procedures: readonly Procedure[]): Catalogue {
  const known = new Set(catalogue.commands.map(({ name }) => name));
  const own = procedures.filter(({ name }) => !known.has(name)).map(commandOf);
  return { ...catalogue, commands: [...catalogue.commands, ...own] };
}

const commandOf = ({ name, description = '', parameters }: Procedure): CommandHelp => ({
  name,
  kind: 'driver',
  syntax: [name, ...parameters.map(({ key }) => `[${key}]`)].join(' '),
  summary: description,
  options: parameters.map(({ key, type, description: summary = '' }) => ({
    name: key,
    type,
    default: null,
    values: null,
    summary,
  })),
});
