// The `vigil` command: finds the subcommand, runs it, and reports errors as texts for people.

import { UsageError } from '#kernel/usage-error.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import type { Listed } from './commands.ts';
import { parseArguments } from './kit/arguments.ts';
import type { Invocation, Streams } from './kit/command.ts';
import { codeOf, errorText, exitCodeOf, isClosedPipe, ServiceError } from './kit/failures/failure.ts';
import { helpFor, helpForAll } from './kit/help/help.ts';
import { type Translator, translatorFor } from './kit/translator.ts';
import { requestOf, unknownCommand } from './request.ts';

export async function main(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  streams: Streams = process,
): Promise<number> {
  const translator = translatorFor(environment);
  const { stdout, stderr } = streams;
  const print = (line: string) => void stdout.write(`${line}\n`);
  const note = (line: string) => void stderr.write(`${line}\n`);
  const unwritable = failureOf(stdout, translator);
  try {
    return await runRequest(args, { environment, translator, streams, print, note }, unwritable);
  } catch (error) {
    if (isClosedPipe(error)) return 0;
    note(`vigil: ${errorText(error, translator)}`);
    return exitCodeOf(error);
  }
}

type CommandContext = Pick<Invocation, 'environment' | 'translator' | 'streams' | 'print' | 'note'>;

/** Rejects as soon as `unwritable` does, unless the command goes on without its output. */
async function runRequest(args: readonly string[], given: CommandContext, unwritable: Promise<never>): Promise<number> {
  const { environment, translator, streams, print } = given;
  const request = requestOf(args);
  const untilWritten = (code: number | Promise<number>) => Promise.race([unwritable, written(code, streams.stdout)]);
  if ('isVersion' in request) {
    const { versionText } = await import('./kit/help/version.ts');
    print(versionText());
    return await untilWritten(0);
  }
  if ('helpOn' in request) {
    print(await helpOn(request.helpOn, translator));
    return await untilWritten(request.exitCode);
  }
  if ('languageWord' in request) {
    for (const line of await languageHelp(request, args, given)) print(line);
    return await untilWritten(0);
  }
  const command = await request.command.load();
  const isColoured = streams.stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  const running = command.run({ ...parseArguments(command, request.args), ...given, isColoured });
  return command.outlivesOutput ? await running : await untilWritten(running);
}

/**
 * Rejects when the output cannot be written, as on a full disk. The reader may close it early, as `head` does, and a terminal may
 * be closed: neither is a failure.
 */
function failureOf(stdout: Streams['stdout'], translator: Translator): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  stdout.on('error', (cause) => {
    const code = codeOf(cause);
    if (isClosedPipe(cause) || code === 'EIO') return;
    reject(new UsageError('cannot-write', { path: translator.text('standard-output'), code }, { cause }));
  });
  promise.catch(() => undefined);
  return promise;
}

/** Resolves after all output has been written, or has failed. */
async function written(code: number | Promise<number>, stdout: Streams['stdout']): Promise<number> {
  const ended = await code;
  const { promise, resolve } = Promise.withResolvers<void>();
  stdout.write('', () => resolve());
  await promise;
  await yieldToEventLoop();
  return ended;
}

/** The language is loaded on demand: it is large, and hardly any command needs it. */
async function languageHelp(
  { languageWord }: { readonly languageWord: string },
  args: readonly string[],
  { translator, environment }: CommandContext,
): Promise<readonly string[]> {
  const { languageHelpLines } = await import('./kit/help/language-help.ts');
  const lines = languageHelpLines(languageWord, translator);
  if (lines.length > 0) return lines;
  const own = await ownCommandLines(languageWord, { translator, environment });
  if (own.length === 0) throw unknownCommand(args.slice(1));
  return own;
}

/** Without a service that answers, the word is unknown. */
async function ownCommandLines(
  word: string,
  { translator, environment }: Pick<CommandContext, 'translator' | 'environment'>,
): Promise<readonly string[]> {
  if (!environment.VIGIL_KEY) return [];
  const [{ connect }, { ownCommandHelp }] = await Promise.all([
    import('./kit/client.ts'),
    import('./kit/help/own-commands.ts'),
  ]);
  try {
    return await ownCommandHelp(word, connect({ flags: {}, environment }), translator);
  } catch (error) {
    if (error instanceof UsageError || error instanceof ServiceError) return [];
    throw error;
  }
}

async function helpOn(listed: readonly Listed[], translator: Translator): Promise<string> {
  const [first, ...others] = await Promise.all(listed.map(({ load }) => load()));
  return first && others.length === 0
    ? helpFor(first, translator)
    : helpForAll(first ? [first, ...others] : [], translator);
}
