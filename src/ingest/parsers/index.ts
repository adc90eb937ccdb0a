// The built-in parsers, in the order of their names. A logger model names one by its code, and so does a rule of one.

import { csv } from './csv.ts';
import { json } from './json.ts';
import { keyValue } from './key-value.ts';
import type { Parser } from './parser.ts';
import { regex } from './regex.ts';
import { syslog } from './syslog.ts';
import { text } from './text.ts';

export const PARSERS: readonly Parser[] = [csv, json, keyValue, regex, syslog, text];

export const parserNamed = (code: string): Parser | undefined => PARSERS.find((parser) => parser.code === code);
