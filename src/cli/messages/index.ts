// The list of all texts for people. Holes are filled from the values of a UsageError or of a call of the translator.

import { audit } from './audit.ts';
import { demo } from './demo.ts';
import { event } from './event.ts';
import { fields } from './fields.ts';
import { general } from './general.ts';
import { importing } from './import.ts';
import { key } from './key.ts';
import { login } from './login.ts';
import { lookup } from './lookup.ts';
import { migrate } from './migrate.ts';
import { query } from './query.ts';
import { rule } from './rule.ts';
import { schedule } from './schedule.ts';
import { serve } from './serve.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { table } from './table.ts';
import { tail } from './tail.ts';
import { user } from './user.ts';
import { verifyEngine } from './verify-engine.ts';

export const messages = {
  ...audit,
  ...demo,
  ...event,
  ...fields,
  ...general,
  ...importing,
  ...key,
  ...login,
  ...lookup,
  ...migrate,
  ...query,
  ...rule,
  ...schedule,
  ...serve,
  ...settings,
  ...shell,
  ...table,
  ...tail,
  ...user,
  ...verifyEngine,
} as const;

export type MessageCode = keyof typeof messages;
