// Requests for queries as a node sends them to another one, or as somebody else would who has some of their parts.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { openSigningKey } from '#audit/chain/keys.ts';
import { signedHeader } from '#cluster/calls/signed-header.ts';
import type { ClusterNode } from './cluster.ts';

const PATH = '/api/core/node-queries';

/** What the node that signs says of the account. */
interface Named {
  readonly guid: string;
  readonly isService?: boolean;
}

/** From `asking` to `target`, over `body`. */
export function nodeQueryFrom(asking: ClusterNode, target: ClusterNode, body: string) {
  const key = openSigningKey(join(asking.folder, 'keys'));
  const signed = (method: string, url: string, { named, text }: { named: Named; text: string | undefined }): string => {
    const account = { isService: false, ...named, body: hash('sha256', text ?? '', 'hex') };
    const claims = { node: asking.name, address: '127.0.0.1', requestId: 'x', isTls: false, account };
    const headers = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    return signedHeader(claims, { method, url, target: target.name, headers }, { key, time: Date.now() });
  };
  return {
    headerFor: (named: Named): string => signed('POST', PATH, { named, text: body }),
    /** For another operation, without a body. */
    headerOf: (method: string, url: string, named: Named): string => signed(method, url, { named, text: undefined }),
    post(header: string | undefined, text = body, more: Parameters<ClusterNode['call']>[2] = { key: null }) {
      const forwarded = header ? { 'x-vigil-forwarded': header } : {};
      const headers = { 'content-type': 'application/x-vigil-query', ...forwarded };
      return target.call('POST', PATH, { ...more, headers, body: text });
    },
  };
}
