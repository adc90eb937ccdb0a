// Where a webhook may point. Whoever sets up an alarm must not reach, through the service, what only its machine reaches.

import { addressSet, plainAddress } from './address.ts';

/** The unspecified addresses lead to the loopback, too. */
const LOCAL = addressSet(['127.0.0.0/8', '0.0.0.0/8', '169.254.0.0/16', '::1', '::', 'fe80::/10']);

/** `remote` leaves out loopback and link-local targets. */
export const TARGETS = ['remote', 'any'] as const;
export type Targets = (typeof TARGETS)[number];

/** Whether a text is an http or https URL that may be called. What its name resolves to is for the caller to look at. */
export function isWebTarget(text: string, targets: Targets): boolean {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return false;
  return targets === 'any' || !isLocalHost(url.hostname);
}

/** Of an address; for what a name resolved to. */
export const isLocalAddress = (address: string): boolean => LOCAL.has(plainAddress(address));

/** As a URL spells it: numbers of any notation are plain decimals by then, and IPv6 stands in brackets. */
function isLocalHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return isLocalAddress(name.replace(/^\[(.*)\]$/, '$1'));
}
