// A request as it is sent to another node: the headers of the client, and what this node says of it, signed.

import type { KeyObject } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { FORWARDED_HEADER, type ForwardedAccount, signedHeader } from './signed-header.ts';

/** Belong to a connection, to its client, or to the way of the request to the node that was asked. */
const NOT_PASSED_ON = [
  ...['connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'proxy-authorization', 'proxy-connection'],
  ...['host', 'expect', 'forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', FORWARDED_HEADER],
];

/** A request as the node that was asked has received it. */
export interface ReceivedRequest {
  readonly id: string;
  readonly method: string;
  /** With its query string, as it was sent. */
  readonly url: string;
  readonly headers: Headers;
  readonly remoteIp: string;
  readonly isTls: boolean;
  /** Of a query of this node itself. */
  readonly account?: ForwardedAccount;
}

/** Headers of a request as they were received. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export type SentHeaders = Record<string, string | string[]>;

interface Sender {
  /** Name of this node. */
  readonly self: string;
  readonly key: KeyObject;
  /** Milliseconds of the database's clock. */
  readonly time: number;
}

export const announcesBody = (headers: Headers): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The headers of the request to the node `target`. They are taken once. */
export function signedHeaders(
  request: ReceivedRequest,
  { target, hasBody }: { target: string; hasBody: boolean },
  { self, key, time }: Sender,
): SentHeaders {
  const { method, url, remoteIp, id: requestId, isTls, account } = request;
  const headers = headersFor(request, hasBody);
  const forwarded = { node: self, address: remoteIp, requestId, isTls, ...(account ? { account } : {}) };
  headers[FORWARDED_HEADER] = signedHeader(forwarded, { method, url, target, headers }, { key, time });
  return headers;
}

/** Those of the client. Without a body its length is given, so that it is signed as it is sent. */
function headersFor({ method, headers }: ReceivedRequest, hasBody: boolean): SentHeaders {
  const passed: OutgoingHttpHeaders = { ...headers };
  for (const name of NOT_PASSED_ON) delete passed[name];
  if (!hasBody) {
    delete passed['transfer-encoding'];
    delete passed['content-length'];
    if (!['GET', 'HEAD'].includes(method)) passed['content-length'] = '0';
  }
  return passed as SentHeaders; // Names of absent headers are not there.
}
