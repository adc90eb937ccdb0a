#!/usr/bin/env node
// The executable: runs the bundle of `npm run build` while it is of these sources, else the sources. It is plain JavaScript,
// because Node loads its TypeScript compiler even for one file, and such that an old Node still reads it.

import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { dirname } from 'node:path';
import { isNodeTooOld, runWithLockedNode } from './locked-node.js';

process.exitCode = isNodeTooOld() ? await runWithLockedNode() : await runHere();

async function runHere() {
  // Every running query of the log engine holds a thread of this pool; file work must not wait behind them.
  process.env.UV_THREADPOOL_SIZE ??= '96';
  const { directory } = module.enableCompileCache();
  // Threads of work on rows read the variable alone, and start in a third of the processor time.
  if (directory) process.env.NODE_COMPILE_CACHE ??= dirname(directory);
  const bundled = new URL('../dist/service/', import.meta.url);
  // Its last file: a bundle without it may lack modules, and is not even loaded.
  const isFinished = existsSync(new URL('manifest.json', bundled));
  const bundle = isFinished ? await import(new URL('executable.js', bundled).href) : undefined;
  if (bundle?.isCurrent()) return await bundle.run(process.argv.slice(2));
  const { run } = await import('../src/cli/executable.ts');
  return await run(process.argv.slice(2), { hasOlderBundle: isFinished });
}
