// The header `X-Vigil-Forwarded`: a node that passes a request on tells the owner whose request it is. It is signed by the key
// of that node over the request as it is sent, so a client can neither make one nor use one again.

import { hash, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { canonicalJson } from '#kernel/json/canonical-json.ts';

export const FORWARDED_HEADER = 'x-vigil-forwarded';
/** Between signing and verifying, by the clock of the database. */
export const VALID_MS = 30_000;
/** Characters of a header; a longer one is not read. */
const MAX_HEADER = 4096;

/** What a node says of a request that it passes on. */
export interface Forwarded {
  /** The node that was asked. */
  readonly node: string;
  /** Address of the caller. */
  readonly address: string;
  readonly requestId: string;
  /** The client reached the node that was asked under TLS. */
  readonly isTls: boolean;
  /** The account of a query that the node itself has; only operations between nodes look at it. */
  readonly account?: ForwardedAccount;
}

/** The account of a query that a node asks another one for. */
export interface NamedAccount {
  readonly guid: string;
  /** A run of the service on its behalf: with the rights of an administrator. */
  readonly isService: boolean;
}

/** Without credentials: the node that signs says whose query it is, and what the whole body is. */
export interface ForwardedAccount extends NamedAccount {
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly body: string;
}

interface Claims extends Forwarded {
  /** Milliseconds of the database's clock. */
  readonly time: number;
  readonly nonce: string;
}

/** The parts of a request that the signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** With its query string. */
  readonly url: string;
  /** The node that it is for. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export function signedHeader(
  forwarded: Forwarded,
  request: SignedRequest,
  by: { key: KeyObject; time: number },
): string {
  const claims: Claims = { ...forwarded, time: by.time, nonce: randomBytes(16).toString('base64url') };
  const signature = sign(null, signedText(claims, request), by.key);
  return `${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature.toString('base64url')}`;
}

export interface ReadHeader extends Claims {
  isSignedBy(key: KeyObject, request: SignedRequest): boolean;
}

/** Undefined for a text that no node has written. */
export function readHeader(text: string): ReadHeader | undefined {
  const [body = '', signature] = text.length > MAX_HEADER ? [] : text.split('.');
  const claims = signature === undefined ? undefined : claimsIn(Buffer.from(body, 'base64url').toString());
  if (!claims || signature === undefined) return undefined;
  const isSignedBy = (key: KeyObject, request: SignedRequest) =>
    verify(null, signedText(claims, request), key, Buffer.from(signature, 'base64url'));
  return { ...claims, isSignedBy };
}

function claimsIn(text: string): Claims | undefined {
  try {
    const { node, address, requestId, isTls, time, nonce, account } = JSON.parse(text);
    const areTexts = [node, address, requestId, nonce].every((value) => typeof value === 'string');
    if (!areTexts || typeof isTls !== 'boolean' || typeof time !== 'number') return undefined;
    const named = accountIn(account);
    return { node, address, requestId, isTls, time, nonce, ...(named ? { account: named } : {}) };
  } catch {
    return undefined;
  }
}

function accountIn(account: unknown): ForwardedAccount | undefined {
  if (typeof account !== 'object' || account === null) return undefined;
  const { guid, isService, body }: Partial<Record<keyof ForwardedAccount, unknown>> = account;
  if (typeof guid !== 'string' || typeof isService !== 'boolean' || typeof body !== 'string') return undefined;
  return { guid, isService, body };
}

function signedText({ account, ...claims }: Claims, { method, url, target, headers }: SignedRequest): Buffer {
  const credentials = hash('sha256', canonicalJson([textOf(headers.authorization), textOf(headers.cookie)]), 'hex');
  const length = textOf(headers['content-length']);
  const named = account ? { account: { ...account } } : {};
  return Buffer.from(canonicalJson({ ...claims, ...named, method, url, target, credentials, length }));
}

const textOf = (value: string | string[] | undefined): string | null => (value === undefined ? null : String(value));
