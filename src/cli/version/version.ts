// vigil version: of this program, and of the service where one is reached.

import { type Client, clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Invocation } from '#cli/kit/command.ts';
import { errorText } from '#cli/kit/failures/failure.ts';
import { programVersion, versionText } from '#cli/kit/help/version.ts';
import { jsonFlag } from '#cli/kit/output/records.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Operations } from '#resources/index.ts';

/** A service that does not answer within it is not reached. */
const TIMEOUT_MS = 5000;

interface ServiceVersion {
  readonly url: string;
  readonly version: string;
}

export const version: Command = {
  name: 'version',
  about: {
    en: 'the version of this program, its commit and its Node, and that of the service where one is reached',
    ko: '이 프로그램의 버전과 커밋과 Node, 그리고 연결되는 서비스의 버전',
  },
  flags: { ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, print, translator } = invocation;
    const service = await reachedService(invocation);
    if (flags.json !== undefined) {
      print(JSON.stringify({ ...programVersion(), service }));
      return 0;
    }
    print(versionText());
    if (service) print(translator.text('service-version', { ...service }));
    return 0;
  },
};

/** Null where none is reached, which is no failure. A --url or --key-file that cannot be used is one, as of every command. */
async function reachedService(invocation: Invocation): Promise<ServiceVersion | null> {
  const { note, translator } = invocation;
  const notReached = (error: unknown) => {
    note(translator.text('service-not-reached', { reason: errorText(error, translator) }));
    return null;
  };
  let client: Client;
  try {
    client = connect(invocation);
  } catch (error) {
    if (isWithoutKey(error, invocation)) return notReached(error);
    throw error;
  }
  return await versionOf(client).catch(notReached);
}

const isWithoutKey = (error: unknown, { flags }: Invocation): boolean =>
  error instanceof UsageError && error.code === 'key-missing' && flags['key-file'] === undefined;

async function versionOf(client: Client): Promise<ServiceVersion> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await client.ask('GET /api/core/nodes', {}, { signal });
  const { nodes } = await client.readExactly<Operations['GET /api/core/nodes']['answer']>(answer);
  const own = nodes.find(({ is_self }) => is_self);
  if (!own) throw new Error('the service does not name its own node');
  return { url: client.url, version: own.version };
}
