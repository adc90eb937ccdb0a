// The console in the output of `vigil serve`: its address, and a link that signs in once. Standard output that is not a
// terminal may be a log, and a code in a log would sign in everyone who reads it in time.

import type { App } from '#app/app.ts';
import type { Invocation } from '#cli/kit/command.ts';

type Output = Pick<Invocation, 'translator' | 'print' | 'streams'>;

export async function printConsole(app: Pick<App, 'url' | 'createSignInCode'>, output: Output): Promise<void> {
  const { translator, print, streams } = output;
  print(translator.text('serve-console', { url: `${app.url}/` }));
  if (streams.stdout.isTTY === true) await printLink(app, output);
}

/** Prints no link if the account `master` has no key that the code could stand for. */
export async function printLink(
  { url, createSignInCode }: Pick<App, 'url' | 'createSignInCode'>,
  { translator, print }: Pick<Output, 'translator' | 'print'>,
): Promise<void> {
  const code = await createSignInCode();
  if (code) print(`${translator.text('serve-link')}\n\n  ${url}/#code=${code}\n`);
}
