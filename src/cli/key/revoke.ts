// vigil key revoke

import { guidOrOwn } from '#cli/kit/account.ts';
import { type Client, clientFlags, connect } from '#cli/kit/client.ts';
import type { Command } from '#cli/kit/command.ts';
import { confirm, yesFlag } from '#cli/kit/confirm.ts';
import { jsonFlag, printJson } from '#cli/kit/output/records.ts';
import { fromStamp } from '#contract/times.ts';
import { systemClock } from '#kernel/time/clock.ts';

export const keyRevoke: Command = {
  name: 'key revoke',
  takes: 'KEY-GUID [LOGIN-or-GUID]',
  about: {
    en: 'revoke a key of an account, by default your own',
    ko: '계정의 키를 폐기합니다. 기본값은 자기 계정',
  },
  flags: { ...yesFlag, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { flags, words, translator, note } = invocation;
    const [key = '', account] = words;
    const client = connect(invocation);
    const guid = await guidOrOwn(client, account);
    if (await isLastOfMasters(client, guid, key)) await confirm(invocation, 'key-is-last');
    const answer = await client.call('DELETE /api/core/users/:guid/api-keys/:key_guid', { guid, key_guid: key });
    if (flags.json) printJson(invocation, answer);
    note(translator.text('key-revoked', { guid: key }));
    return 0;
  },
};

/** Whether no account of the role MASTER would have a key left that opens every operation. */
async function isLastOfMasters(client: Client, account: string, key: string): Promise<boolean> {
  const { users } = await client.call('GET /api/core/users', {});
  const masters = users.filter(({ role_name }) => role_name === 'MASTER');
  if (!masters.some(({ guid }) => guid === account.toLowerCase())) return false;
  const left: string[] = [];
  for (const { guid } of masters) {
    const { api_keys } = await client.call('GET /api/core/users/:guid/api-keys', { guid });
    const usable = api_keys.filter(({ scope, expires_at }) => scope === 'all' && !isPast(expires_at));
    left.push(...usable.map((one) => one.guid));
  }
  return left.length === 1 && left[0] === key.toLowerCase();
}

function isPast(stamp: string | null): boolean {
  const end = stamp === null ? undefined : fromStamp(stamp);
  return end !== undefined && Temporal.Instant.compare(end, systemClock.now()) <= 0;
}
