// The requests of one run of a query: where they go, with which headers, how many, and what the audit trail says about them.

import type { Account } from '#access/caller.ts';
import type { ResolveHost } from '#connections/checked-address.ts';
import type { UsableProfile } from '#connections/profiles.ts';
import { sendRequest } from '#connections/web/web-client.ts';
import { completedUrl, requestUrl } from '#connections/web/web-urls.ts';
import type { HostList } from '#kernel/net/host-list.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { EffectServices } from '#query/plan-nodes/kinds.ts';
import type { SendableRequest, WebAnswer, WebRequest } from '#query/plan-nodes/shared/web.ts';
import type { WebRequests } from '#query/plan-nodes/wget.ts';
import { Slots } from '#runtime/slots.ts';

const MAX_REQUESTS = 1000;
const MAX_AT_ONCE = 4;
const MAX_BYTES = 16 * 1024 * 1024;

/** The way to hosts outside. */
export interface WebAccess {
  /** Those of the setting `outbound-hosts`. */
  readonly hosts: HostList;
  readonly resolve?: ResolveHost;
  /** Undefined for a profile that the account may not use. */
  profile(name: string, account: Account): Promise<HttpProfile | undefined>;
}

interface WebRequestsDeps {
  readonly web: WebAccess;
  readonly clock: Clock;
  /** The account whose rights a node has. */
  account(guid: string | undefined): Account;
}

export interface HttpProfile {
  readonly row: UsableProfile;
  readonly headers: Readonly<Record<string, string>>;
}

/** The use of the network by one command. */
export interface PlanNodeRequests {
  readonly planNode: WebRequests;
  readonly hosts: ReadonlySet<string>;
  readonly count: number;
}

interface Counted {
  readonly hosts: Set<string>;
  count: number;
  readonly profile: Promise<HttpProfile | undefined> | undefined;
}

type RunRequests = EffectServices['requests'];

export class QueryRequests implements RunRequests {
  readonly #deps: WebRequestsDeps;
  readonly #slots = new Slots({ total: MAX_AT_ONCE });
  readonly #planNodes = new Map<WebRequests, Counted>();
  #count = 0;

  constructor(deps: WebRequestsDeps) {
    this.#deps = deps;
  }

  /** In the order in which they have begun. */
  get used(): readonly PlanNodeRequests[] {
    return [...this.#planNodes].map(([node, { hosts, count }]) => ({ planNode: node, hosts, count }));
  }

  async send(node: WebRequests, request: WebRequest, signal: AbortSignal): Promise<WebAnswer> {
    const counted = this.#counted(node);
    if (typeof request === 'string') return { error: request };
    using _slot = await this.#slots.acquire({ signal });
    const profile = await counted.profile;
    if ('profile' in node.target && !profile) throw noProfile(node.target);
    const url = targetUrl(node, request, profile);
    if (!url) return { error: 'malformed-url' };
    return await sendRequest(
      {
        url,
        method: node.method,
        body: request.body,
        headers: { ...Object.fromEntries(request.headers), ...profile?.headers },
        ...boundsOf(node, profile),
      },
      { ...this.#deps.web, clock: this.#deps.clock, begin: ({ host }) => this.#take(node, counted, host) },
      signal,
    );
  }

  #counted(node: WebRequests): Counted {
    const known = this.#planNodes.get(node);
    if (known) return known;
    const profile =
      'profile' in node.target
        ? this.#deps.web.profile(node.target.profile, this.#deps.account(node.account))
        : undefined;
    profile?.catch(() => undefined);
    const counted = { hosts: new Set<string>(), count: 0, profile };
    this.#planNodes.set(node, counted);
    return counted;
  }

  #take(node: WebRequests, counted: Counted, host: string): void {
    if (this.#count === MAX_REQUESTS) {
      throw new QueryError(93012, node, { n: MAX_REQUESTS + 1, max: MAX_REQUESTS });
    }
    this.#count += 1;
    counted.count += 1;
    counted.hosts.add(host);
  }
}

function targetUrl({ target }: WebRequests, { url }: SendableRequest, profile: HttpProfile | undefined) {
  if ('profile' in target) return completedUrl(profile?.row.url ?? '', url);
  return url === null ? undefined : requestUrl(url);
}

const noProfile = ({ profile, profileAt }: Extract<WebRequests['target'], { profile: string }>): QueryError =>
  new QueryError(10600, profileAt, { name: profile });

function boundsOf({ timeoutMs }: WebRequests, profile: HttpProfile | undefined) {
  const seconds = profile?.row.timeout ?? Number.POSITIVE_INFINITY;
  const ca = profile?.row.ca ?? undefined;
  return {
    timeout: Temporal.Duration.from({ milliseconds: Math.min(timeoutMs, seconds * 1000) }),
    maxBytes: Math.min(MAX_BYTES, profile?.row.max_bytes ?? MAX_BYTES),
    ...(ca === undefined ? {} : { ca }),
  };
}
