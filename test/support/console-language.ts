// The catalogue of the language as the service hands it to the console, and the kinds of its commands.

import { languageHelp } from '#query/help.ts';
import type { CommandKind } from '#query/model/query-error.ts';

export const CATALOGUE = { version: '1', ...languageHelp('en') };

export const KINDS = new Map<string, CommandKind>(CATALOGUE.commands.map(({ name, kind }) => [name, kind]));
