// What bin/vigil.js runs, out of the bundle or of the sources.

import { ensureServiceProcess } from './serve/service-process.ts';

export { isCurrent } from '#kernel/bundle.ts';

export async function run(args: readonly string[]): Promise<number> {
  if (args[0] === 'serve') ensureServiceProcess(process);
  const { main } = await import('./main.ts');
  return await main(args, process.env);
}
