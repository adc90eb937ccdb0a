#!/usr/bin/env node
// The executable. What must be set before anything else is loaded is set here.

import { enableCompileCache } from 'node:module';
import { dirname } from 'node:path';

const [command] = process.argv.slice(2);
if (command === 'serve') (await import('#cli/serve/service-process.ts')).ensureServiceProcess(process);

// Every running query of the log engine holds a thread of this pool; file work must not wait behind them.
process.env.UV_THREADPOOL_SIZE ??= '96';
const { directory } = enableCompileCache();
// Threads of work on rows read the variable alone, and start in a third of the processor time.
if (directory) process.env.NODE_COMPILE_CACHE ??= dirname(directory);

const { main } = await import('#cli/main.ts');
process.exitCode = await main(process.argv.slice(2), process.env);
