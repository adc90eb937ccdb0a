// Looks up detection rules of both kinds by name or GUID; by GUID also removed ones, whose versions are kept.

import type { Client } from '#cli/kit/client.ts';
import type { Flags, Invocation } from '#cli/kit/command.ts';
import { ServiceError } from '#cli/kit/failures/failure.ts';
import type { AnswerFor, RequestFor } from '#client/call.ts';
import { notFound } from '#contract/errors.ts';
import { isGuid } from '#kernel/guid.ts';
import { UsageError } from '#kernel/usage-error.ts';

const KINDS = ['batch', 'stream'] as const;
type Kind = (typeof KINDS)[number];

type RecordOf<K extends Kind> = NonNullable<AnswerFor<`GET /api/core/${K}-rules/:guid`>['rule']>;

/** The fields of both kinds; those of one kind are optional. */
export type Rule = { readonly kind: Kind } & Either<RecordOf<'batch'>, RecordOf<'stream'>>;
type Either<A, B> = Pick<A & B, keyof A & keyof B> & Partial<A & B>;

export type RuleVersion = AnswerFor<'GET /api/core/batch-rules/:guid/versions'>['versions'][number];

export const kindFlag: Flags = {
  kind: { hint: 'batch|stream', about: { en: 'only rules of this kind', ko: '이 종류의 룰만' } },
};

/** Version numbers as typed: the service reports a wrong one. */
export const versionParams = <V extends string>(texts: Readonly<Record<V, string>>) =>
  texts as unknown as Readonly<Record<V, number>>;

/** The selected kinds, by default both. */
export function kindsIn({ flags }: Pick<Invocation, 'flags'>): readonly Kind[] {
  if (flags.kind === undefined) return KINDS;
  const kind = KINDS.find((one) => one === flags.kind);
  if (!kind) throw new UsageError('rule-kind-wrong', { text: flags.kind });
  return [kind];
}

type RuleFilters = RequestFor<'GET /api/core/batch-rules'>;

export async function listRules(client: Client, kind: Kind, query: RuleFilters): Promise<Rule[]> {
  const { rules } = await client.call(`GET /api/core/${kind}-rules`, query);
  return rules.map((rule) => ({ ...rule, kind }));
}

export async function findRule(client: Client, named: string, kinds: readonly Kind[]): Promise<Rule> {
  const found: Rule[] = [];
  for (const kind of kinds) found.push(...(await (isGuid(named) ? byGuid : byName)(client, kind, named)));
  return theOnly(found, named);
}

export async function findVersioned(
  client: Client,
  named: string,
  kinds: readonly Kind[],
): Promise<{ kind: Kind; guid: string; name: string }> {
  if (!isGuid(named)) return await findRule(client, named, kinds);
  const found: { kind: Kind; guid: string; name: string }[] = [];
  for (const kind of kinds) {
    const newest = await newestVersion(client, kind, named);
    if (newest) found.push({ kind, guid: named, name: newest.name });
  }
  return theOnly(found, named);
}

async function byGuid(client: Client, kind: Kind, guid: string): Promise<Rule[]> {
  const { rule } = await client.call(`GET /api/core/${kind}-rules/:guid`, { guid });
  return rule ? [{ ...rule, kind }] : [];
}

async function byName(client: Client, kind: Kind, name: string): Promise<Rule[]> {
  // The parameter keywords also matches parts of names, and other fields.
  return (await listRules(client, kind, { keywords: name })).filter((rule) => rule.name === name);
}

/** Undefined for a rule that never existed, which the service refuses. */
async function newestVersion(client: Client, kind: Kind, guid: string): Promise<RuleVersion | undefined> {
  try {
    return (await client.call(`GET /api/core/${kind}-rules/:guid/versions`, { guid, limit: 1 })).versions[0];
  } catch (error) {
    if (error instanceof ServiceError && error.is(notFound(`${kind} rule`, guid))) return undefined;
    throw error;
  }
}

function theOnly<T>(found: readonly T[], named: string): T {
  const [first, second] = found;
  if (second !== undefined) throw new UsageError('rule-of-both-kinds', { rule: named });
  if (first === undefined) throw new UsageError('no-such-rule', { rule: named });
  return first;
}
