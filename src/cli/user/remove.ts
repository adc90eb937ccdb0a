// vigil user remove

import { guidOfAccount } from '#cli/kit/account.ts';
import { type Client, clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Invocation } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failures/failure.ts';
import { type Field, jsonFlag, printJson, printList } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';

type Answer = AnswerFor<'DELETE /api/core/users'>;

interface Removal {
  readonly account: string;
  readonly guid: string;
  /** The reason of the contract for not removing it. */
  readonly reason: string | undefined;
}

export const userRemove: Command = {
  name: 'user remove',
  takes: 'LOGIN-or-GUID...',
  about: { en: 'remove accounts with their keys', ko: '계정과 그 키를 지웁니다' },
  flags: {
    'dry-run': { about: { en: 'only show what would be removed', ko: '지우지 않고 결과만 알려 줍니다' } },
    ...jsonFlag,
    ...clientFlags,
  },

  async run(invocation) {
    const client = connect(invocation);
    const named = await resolveAll(client, invocation.words);
    const dry_run = invocation.flags['dry-run'] !== undefined;
    const guids = [...named.values()];
    const answer = await client.call('DELETE /api/core/users', { guids, dry_run });
    if (invocation.flags.json) printJson(invocation, answer);
    else await printList({ invocation, client }, removalsOf(named, answer), fieldsOf(invocation, dry_run));
    return answer.failures.length === 0 ? 0 : FAILED;
  },
};

/** All are looked up before any is removed, so that a mistyped login removes nothing. */
async function resolveAll(client: Client, accounts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const named = new Map<string, string>();
  for (const account of accounts) named.set(account, await guidOfAccount(client, account));
  return named;
}

function removalsOf(named: ReadonlyMap<string, string>, { failures }: Answer): Removal[] {
  const reasons = new Map(failures.map(({ id, reason }) => [id, reason]));
  return [...named].map(([account, guid]) => ({ account, guid, reason: reasons.get(guid.toLowerCase()) }));
}

const fieldsOf = ({ translator: { text } }: Invocation, isDryRun: boolean): readonly Field<Removal>[] => [
  { title: 'field-account', text: ({ account }) => account },
  { title: 'field-guid', text: ({ guid }) => guid },
  {
    title: 'field-result',
    text: ({ reason }) => reason ?? text(isDryRun ? 'would-be-removed' : 'removed'),
    isBad: ({ reason }) => reason !== undefined,
  },
];
