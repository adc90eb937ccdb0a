// What bin/vigil.js runs, out of the bundle or of the sources.

import { ensureServiceProcess } from './serve/service-process.ts';

export { isCurrent } from '#runtime/bundle.ts';

/** `hasOlderBundle` says that the sources run although there is a bundle, which starts in a third of the time. */
export async function run(args: readonly string[], { hasOlderBundle = false } = {}): Promise<number> {
  if (args[0] === 'serve') ensureServiceProcess(process);
  const { main } = await import('./main.ts');
  const { translatorFor } = await import('./kit/translator.ts');
  if (hasOlderBundle) process.stderr.write(`vigil: ${translatorFor(process.env).text('older-bundle')}\n`);
  const code = await main(args, process.env);
  // The command may still run, for nobody: its output cannot be written.
  if (code !== 0 && process.stdout.errored) process.exit(code);
  return code;
}
