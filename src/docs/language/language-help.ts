// The answer of GET /query-language: help on the language with the version of the product.

import { createHash } from 'node:crypto';
import type { Locale } from '#contract/values.ts';
import { productManifest } from '#docs/product.ts';
import { languageHelp } from '#query/help.ts';

export function languageText(locale: Locale): { json: string; etag: string } {
  const json = JSON.stringify({ version: productManifest().version, ...languageHelp(locale) });
  return { json, etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"` };
}
