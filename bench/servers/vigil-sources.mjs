// The service out of its sources, as bin/vigil.js runs them where no bundle is current.

import { enableCompileCache } from 'node:module';

process.env.UV_THREADPOOL_SIZE ??= '96';
enableCompileCache();

const { run } = await import('../../src/cli/executable.ts');
process.exitCode = await run(process.argv.slice(2));
