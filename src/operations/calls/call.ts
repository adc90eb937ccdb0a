// One call of an operation, from the checked request to its answer and its audit entry. The order of checks is the
// reference's: authentication, rate, permission, body, parameters, then the state of objects.

import type { Accounts } from '#access/accounts/accounts.ts';
import type { Actor, Caller } from '#access/caller.ts';
import type { KeyRate } from '#access/limits/key-rate.ts';
import type { RefusedAttempts } from '#access/limits/refused-attempts.ts';
import type { CountedEntries } from '#audit/counts/counted-entries.ts';
import type { RepeatedEntries } from '#audit/counts/repeated-entries.ts';
import { type Params as AuditParams, type Draft, NO_USER, truncateText } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { OtherAnswers } from '#cluster/calls/node-calls.ts';
import { ApiError, CountedApiError, internalError, noPermission, unauthorized } from '#contract/errors.ts';
import { isStorableText } from '#kernel/text/storable-text.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { ForwardedBy } from '#operations/between-nodes.ts';
import type { Credentials, FindCallerAt, OriginKind } from '#operations/credentials.ts';
import {
  type AnyEndpoint,
  type Call,
  type Content,
  isOwn,
  isReading,
  type LeftAlone,
  NO_CONTENT,
} from '#operations/endpoint.ts';
import { NO_PARAMS, type RawParams } from '#operations/requests/raw-params.ts';
import { withPath } from '#operations/requests/request-params.ts';
import type { Store } from '#store/store.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { AuditedObjects } from './audit-notes.ts';
import { actionOf, auditParams } from './audit-params.ts';
import { callerOf } from './caller-of.ts';
import { BEHIND, type Inheriting, inheritedOf } from './inherited-services.ts';
import { isPermitted } from './permission.ts';
import { repeatableRun } from './repeatable-run.ts';

/** Services that every call needs. */
export interface CallDeps {
  readonly clock: Clock;
  readonly store: Store;
  readonly trail: Trail;
  readonly accounts: Accounts;
  readonly attempts: RefusedAttempts;
  /** Refusals recorded once a minute. */
  readonly refusals: CountedEntries;
  /** Repeated queries, recorded once an hour. */
  readonly repeats: RepeatedEntries;
  readonly keyRate: KeyRate;
  /** Items in a list of GUIDs. */
  readonly maxGuids: number;
  /** Items in any other list. */
  readonly maxValues: number;
  readonly services: object;
  /** Has room for removals on a full disk. */
  readonly disk: { whileRemoving<T>(work: () => Promise<T>): Promise<T> };
}

export interface RequestFacts {
  readonly requestId: string;
  readonly remoteIp: string;
  readonly credentials: Credentials | undefined;
  /** The account of the credentials, if it was begun to be read before the request was verified. */
  readonly readAhead: FindCallerAt | undefined;
  readonly isTls: boolean;
  readonly origin: OriginKind;
  readonly userAgent: string;
  readonly accept: string;
  /** Undefined for a request that came from its client. */
  readonly forwarded: ForwardedBy | undefined;
  readonly path: Readonly<Record<string, string>>;
  /** Call when credentials of the request were accepted, or the token in its path. */
  credentialsAccepted(): void;
  /** As `Call.askOthers`. */
  askOthers(params: Readonly<Record<string, string>>, gone: AbortSignal): Promise<OtherAnswers>;
  /** Parameters outside of the path, as far as known, of a call that was refused before they were parsed. */
  paramsOfRefused(): RawParams;
}

/** Characters of JSON nested as text inside of JSON, over a whole request. */
const MAX_INNER_JSON = 128 * 1024;

export class OperationCall {
  readonly endpoint: AnyEndpoint;
  readonly #deps: CallDeps;
  readonly #facts: RequestFacts;
  #caller: Caller | undefined;
  #actor: Actor | undefined;
  #rawParams: RawParams = NO_PARAMS;
  #content: Content = NO_CONTENT;
  #input: Record<string, unknown> | undefined;
  readonly #objects: AuditedObjects;
  readonly #leftAlone: LeftAlone[] = [];
  #notes: AuditParams = {};
  #isRecorded = false;
  #isUnchanged = false;
  #answeredRefusal: string | undefined;
  #prepared: unknown;
  readonly #followUps: (() => Promise<void>)[] = [];
  /** Created on demand: hardly any operation uses it. */
  #gone: AbortController | undefined;
  #isGone = false;

  constructor(endpoint: AnyEndpoint, facts: RequestFacts, deps: CallDeps) {
    this.endpoint = endpoint;
    this.#facts = facts;
    this.#deps = deps;
    this.#objects = new AuditedObjects(endpoint);
  }

  /** Of an operation whose access requires one. */
  get caller(): Caller {
    if (!this.#caller) throw new Error(`${this.endpoint.title} has no caller`);
    return this.#caller;
  }

  /** The account of the call, once authenticated. */
  get account(): string | undefined {
    return this.#caller?.userGuid;
  }

  get login(): string {
    return this.#actor?.login ?? NO_USER;
  }

  get #isOwn(): boolean {
    return isOwn(this.endpoint);
  }

  /** Steps 2 and 3. A request that another node has passed on is counted there. */
  async authenticate({ isCounted }: { isCounted: boolean }): Promise<void> {
    const { access } = this.endpoint;
    if (access === 'none' || access === 'token') return;
    const { remoteIp } = this.#facts;
    const caller = await callerOf(this.endpoint, this.#facts, this.#deps.accounts);
    if (!caller) throw this.#isOwn ? unauthorized() : this.#deps.attempts.refuse(remoteIp);
    this.#facts.credentialsAccepted();
    this.#caller = caller;
    this.#actor = caller;
    if (!this.#isOwn && isCounted) this.#deps.keyRate.take(caller.userGuid);
  }

  /** Step 4. */
  async authorize(): Promise<void> {
    const context = { path: this.#facts.path, store: this.#deps.store };
    if (this.#caller && !(await isPermitted(this.endpoint, this.#caller, context))) throw noPermission();
  }

  /** Steps 6 and 7. `rawParams` are the parameters of query string and body; those of the path come first. */
  async perform(rawParams: RawParams, content: Content = NO_CONTENT): Promise<object> {
    this.#rawParams = withPath(rawParams, this.#facts.path);
    this.#content = content;
    const input = this.#read();
    this.#input = input;
    const { endpoint } = this;
    return endpoint.method === 'DELETE'
      ? await this.#deps.disk.whileRemoving(() => this.#performed(input))
      : await this.#performed(input);
  }

  async #performed(input: Record<string, unknown>): Promise<object> {
    const { endpoint } = this;
    await this.#prepare(input);
    if (isReading(endpoint.method) || endpoint.isUnit === false) return await this.#runReading(input);
    // Effects of a change are completed even when its caller stops waiting.
    return await this.#deps.store.inTime(this.#change(input));
  }

  async #change(input: Record<string, unknown>): Promise<object> {
    if (!this.endpoint.audit) return await this.#deps.store.write((db) => this.#run(input, db));
    this.#isRecorded = true;
    const answer = await this.#deps.trail.change(
      async (db) => {
        await this.#objects.look(db, this.#rawParams, input);
        return await this.#run(input, db);
      },
      (outcome) => ('error' in outcome ? this.#failed(outcome.error) : this.#answered(outcome.value, input)),
    );
    this.#deps.accounts.forget();
    await this.#followUp();
    return answer;
  }

  /** Call when the client has disconnected. */
  clientDisconnected(): void {
    this.#isGone = true;
    this.#gone?.abort();
  }

  /**
   * Records the audit entry of a call that ended in `error`, unless there is one already or such an error leaves none.
   */
  async recordFailure(error: unknown): Promise<void> {
    if (this.endpoint.access === 'token') await this.#findOwner(error);
    if (error instanceof CountedApiError) this.#count(error);
    const isForbidden = error instanceof ApiError && error.kind === 'noPermission';
    if (this.#isRecorded || this.#isOwn || !(this.endpoint.audit || isForbidden)) return;
    this.#isRecorded = true;
    if (!this.#failed(error)) return;
    if (!this.#input) this.#rawParams = this.#refusedParams();
    await this.#deps.store.read((db) => this.#objects.look(db, this.#rawParams, this.#input));
    const draft = this.#failed(error);
    if (draft) await this.#deps.store.inTime(this.#deps.trail.record(draft));
  }

  /** Unauthenticated calls must not fill the trail with unknown tokens: these are counted by address. */
  async #findOwner(error: unknown): Promise<void> {
    const { audit } = this.endpoint;
    if (!audit || this.#actor || error instanceof CountedApiError || !isAudited(error)) return;
    if (!this.#input) this.#rawParams = this.#refusedParams();
    const owner = await this.#deps.store.read(
      async (db) => await this.endpoint.ownerOf?.(this.#facts.path, this.#needs(db) as never),
    );
    if (!owner) return this.#count(new CountedApiError(this.#refusalOf(error), audit, {}));
    this.#actor = owner.actor;
    this.#notes = owner.noted;
    // The unit ran before the account was known, so it recorded no entry.
    this.#isRecorded = false;
  }

  #refusalOf(error: unknown): ApiError {
    return error instanceof ApiError ? error : internalError(this.#facts.requestId);
  }

  /** For refusals that would leave no entry, or an unlimited number of entries. */
  #count({ concerns, noted, message }: CountedApiError): void {
    if (this.endpoint.audit && this.endpoint.access !== 'token') return;
    const who = `${this.#actor?.userGuid ?? this.#facts.remoteIp} ${concerns}`;
    this.#isRecorded = true;
    this.#deps.refusals.add(who, { ...this.#draft(truncateText(message)), msg_params: noted });
  }

  /** All parameters that can be parsed without an error. */
  #refusedParams(): RawParams {
    if (this.#rawParams !== NO_PARAMS) return this.#rawParams;
    const storable = Object.entries(this.#facts.path).filter(([, value]) => isStorableText(value));
    return new Map([...this.#facts.paramsOfRefused(), ...storable.map(([name, value]) => [name, [value]] as const)]);
  }

  #read(): Record<string, unknown> {
    const input: Record<string, unknown> = {};
    const { clock, maxGuids, maxValues } = this.#deps;
    const context = { now: clock.now(), maxGuids, maxValues, innerJson: { left: MAX_INNER_JSON } };
    for (const [name, reader] of Object.entries(this.endpoint.params)) {
      input[name] = reader.read(this.#rawParams.get(name) ?? [], name, context, input);
    }
    return input;
  }

  async #prepare(input: Record<string, unknown>): Promise<void> {
    const { prepare } = this.endpoint;
    if (!prepare) return;
    this.#prepared = await this.#deps.store.read((db) => prepare(input as never, this.#needs(db) as never));
  }

  async #runReading(input: Record<string, unknown>): Promise<object> {
    const answer = await this.#deps.store.read((db) => this.#run(input, db));
    if (this.endpoint.audit && !this.#isUnchanged && !this.#isRecorded) await this.#writeEntry();
    await this.#followUp();
    return answer;
  }

  async #writeEntry({ isRepeatable } = { isRepeatable: false }): Promise<void> {
    this.#isRecorded = true;
    const { store, trail, accounts, repeats } = this.#deps;
    const draft = this.#draft(this.#answeredRefusal);
    const caller = isRepeatable ? this.#caller : undefined;
    const run = caller && repeatableRun(this.endpoint, this.#rawParams, { caller, accounts });
    await store.inTime(run ? repeats.record(run, draft) : trail.record(draft));
  }

  async #followUp(): Promise<void> {
    for (const work of this.#followUps) await work();
  }

  /** Aborts when nobody waits for the answer any longer. */
  get gone(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.#isGone) this.#gone.abort();
    return this.#gone.signal;
  }

  #run(input: Record<string, unknown>, db: Call['db']): Promise<object> {
    // Input and services were checked against the declarations where the endpoints are listed.
    return this.endpoint.run(input as never, this.#needs(db) as never, this.#prepared as never);
  }

  #needs(db: Call['db']): object {
    return {
      __proto__: inheritedOf(this.#deps.services),
      [BEHIND]: this,
      db,
      remoteIp: this.#facts.remoteIp,
      requestId: this.#facts.requestId,
      isTls: this.#facts.isTls,
      origin: this.#facts.origin,
      userAgent: this.#facts.userAgent,
      accept: this.#facts.accept,
      credentials: this.#facts.credentials,
      forwardedBy: this.#facts.forwarded?.node,
      askOthers: (params) => this.#facts.askOthers(params, this.gone),
      content: this.#content,
      note: (params: AuditParams) => {
        this.#notes = { ...this.#notes, ...params };
      },
      identify: (actor: Actor) => {
        this.#facts.credentialsAccepted();
        this.#actor = actor;
      },
      afterCommit: (work: () => Promise<void>) => {
        this.#followUps.push(work);
      },
      leaveUnrecorded: () => {
        this.#isUnchanged = true;
      },
      entry: {
        add: (params) => this.#deps.trail.include(this.#draft(undefined, params)),
        committed: () => {
          this.#isRecorded = true;
        },
        write: (run) => this.#writeEntry(run),
      },
      leaveAlone: (id, reason) => {
        this.#leftAlone.push({ id, reason });
      },
      recordAsFailed: (error: string) => {
        this.#answeredRefusal = error;
      },
    } satisfies Omit<Call, 'caller' | 'gone'> & Inheriting;
  }

  #failed(error: unknown): Draft | undefined {
    // An unknown token is counted later.
    if ((this.endpoint.access === 'token' && !this.#actor) || !isAudited(error)) return undefined;
    const refusal = this.#refusalOf(error);
    const noted = refusal instanceof CountedApiError ? refusal.noted : {};
    return this.#draft(truncateText(refusal.message), { ...this.#objects.addressed(), ...noted });
  }

  #answered(answer: object, input: Record<string, unknown>): Draft | undefined {
    if (this.#isUnchanged) return undefined;
    const { notes, error } = this.#objects.answered({ answer, input, leftAlone: this.#leftAlone });
    return this.#draft(this.#answeredRefusal ?? error, notes);
  }

  #draft(error?: string, notes: AuditParams = {}): Draft {
    const { remoteIp, requestId } = this.#facts;
    const params = auditParams(this.endpoint, this.#rawParams);
    return {
      ...(this.#actor ? { user_guid: this.#actor.userGuid, company_guid: this.#actor.companyGuid } : {}),
      user_name: this.login,
      remote_ip: remoteIp,
      ...actionOf(this.endpoint),
      ...(params ? { params } : {}),
      msg_params: { ...notes, ...this.#notes, request_id: requestId },
      ...(error === undefined ? {} : { error }),
    };
  }
}

/** Refused keys are counted by the minute; rate-limited calls and calls before the service is ready leave no entry. */
function isAudited(error: unknown): boolean {
  if (error instanceof StoreUnreachable) return false;
  return !(error instanceof ApiError && [401, 429, 503].includes(error.status));
}
