#!/usr/bin/env node
// Writes the generated documents: npm run docs.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { generatedDocuments } from '#docs/generated-documents.ts';
import { allEndpoints } from '#resources/index.ts';

for (const { path, text } of generatedDocuments(allEndpoints())) {
  const file = resolve(import.meta.dirname, '..', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(path);
}
