// The nonce of the policy of this page, for packages that write style elements.

/** Empty while developing, where there is no policy. */
export function styleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}
