// The files of the built console, read into memory at the first request and served from there: no path of a request ever
// reaches the file system.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type ConsoleManifest, MANIFEST_FILE } from '#runtime/bundle.ts';

/** In the order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

export interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  readonly encoded: Readonly<Record<Encoding, Buffer>>;
}

export interface BuiltConsole {
  /** With the placeholder `NONCE` where each answer has a nonce of its own. */
  readonly index: string;
  /** By their paths in a request. */
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Stands in index.html for the nonce of an answer. */
export const NONCE = '__NONCE__';

export class ConsoleFiles {
  readonly #folder: string;
  #built: Promise<BuiltConsole | undefined> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined while there is no build; a build that is made meanwhile is found by the next request. */
  async load(): Promise<BuiltConsole | undefined> {
    this.#built ??= readConsole(this.#folder);
    const built = await this.#built;
    if (!built) this.#built = undefined;
    return built;
  }
}

async function readConsole(folder: string): Promise<BuiltConsole | undefined> {
  const manifest = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => undefined);
  if (manifest === undefined) return undefined;
  // Written last: the files that it names are there.
  const { assets }: ConsoleManifest = JSON.parse(manifest);
  const read = await Promise.all(assets.map(async (path) => [`/${path}`, await readAsset(folder, path)] as const));
  return { index: await readFile(join(folder, 'index.html'), 'utf8'), assets: new Map(read) };
}

async function readAsset(folder: string, path: string): Promise<Asset> {
  const [bytes, br, gzip] = await Promise.all(
    ['', ENDINGS.br, ENDINGS.gzip].map((ending) => readFile(join(folder, path + ending))),
  );
  if (!bytes || !br || !gzip) throw new Error(`the console lacks ${path}`);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', etag, bytes, encoded: { br, gzip } };
}
