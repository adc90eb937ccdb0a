// Name, version and license of the product for its documents, read from package.json.

import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

export const PRODUCT_NAME = 'Vigil';

interface Manifest {
  readonly version: string;
  /** SPDX identifier. */
  readonly license: string;
}

export function productManifest(): Manifest {
  const path = findPackageJSON(import.meta.url);
  if (path === undefined) throw new Error('package.json is missing');
  return JSON.parse(readFileSync(path, 'utf8'));
}
