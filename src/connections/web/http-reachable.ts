// One request to the base url of a profile of the kind http: whether the other side answers it.

import { checkedAddress } from '#connections/checked-address.ts';
import type { HostList } from '#kernel/net/host-list.ts';
import { http, https } from '#runtime/http-clients.ts';

/** Without a user, or with one that may not. */
const REFUSED = [401, 403, 407];
const TLS_CODES = /CERT|TLS|SSL|UNABLE_TO_VERIFY|SELF_SIGNED|ALTNAME|EPROTO/;

/** Whether the code of a failed connection says that its certificate or its encryption was not as demanded. */
export const isTlsFailure = (code: string): boolean => TLS_CODES.test(code);

interface HttpTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly ca: string | undefined;
}

/** Undefined for an answer. */
export async function httpFailure(
  { url, headers, ca }: HttpTarget,
  hosts: HostList,
  signal: AbortSignal,
): Promise<'unreachable' | 'refused' | 'tls' | undefined> {
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const found = await checkedAddress({ host: url.hostname, port }, hosts);
  if (typeof found === 'string') return 'unreachable';
  const { address, family } = found;
  const { promise, resolve } = Promise.withResolvers<'unreachable' | 'refused' | 'tls' | undefined>();
  const { request } = isSecure ? https : http;
  const call = request(
    url,
    {
      method: 'HEAD',
      agent: false,
      signal,
      headers,
      ...(ca === undefined ? {} : { ca }),
      lookup: (_host, { all }, give) => (all ? give(null, [{ address, family }]) : give(null, address, family)),
    },
    ({ statusCode = 0 }) => {
      resolve(REFUSED.includes(statusCode) ? 'refused' : undefined);
      call.destroy();
    },
  );
  call.on('error', (error: NodeJS.ErrnoException) => {
    resolve(isTlsFailure(error.code ?? '') ? 'tls' : 'unreachable');
  });
  call.end();
  return await promise;
}
