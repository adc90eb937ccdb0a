// Hosts that connections to the outside may go to, as settings list them: names, all names below one, addresses and networks,
// each with an optional port. A listed name does not open the addresses of the machine or of private networks behind it.

import { isIP } from 'node:net';
import { type AddressSet, addressSet, isAddressOrNetwork, plainAddress } from './address.ts';
import { isInternalAddress } from './special-addresses.ts';

export interface HostList {
  /** Whether a host, a name or an address, is listed. The address behind a name is checked by `mayConnect`. */
  has(host: string, port: number): boolean;
  /** Whether a connection to the address of a listed host may be made. */
  mayConnect(address: string, port: number): boolean;
}

/** An item of a list; without a port all ports are meant. */
interface HostItem {
  readonly port: number | undefined;
  /** In lower case; begins with `*.` for all names below. */
  readonly name?: string;
  readonly addresses?: AddressSet;
}

const NAME =
  /^(\*\.)?[\p{L}\p{N}_]([\p{L}\p{N}_-]*[\p{L}\p{N}_])?(\.[\p{L}\p{N}_]([\p{L}\p{N}_-]*[\p{L}\p{N}_])?)*\.?$/u;
const MAX_PORT = 65_535;

export const isHostItem = (text: string): boolean => hostItem(text) !== undefined;

/** Items that are none are left out: settings refuse them. */
export function hostList(texts: readonly string[]): HostList {
  const items = texts.flatMap((text) => hostItem(text) ?? []);
  const isListed = (port: number, fits: (item: HostItem) => boolean) =>
    items.some((item) => (item.port === undefined || item.port === port) && fits(item));
  const hasAddress = (address: string, port: number) =>
    isListed(port, ({ addresses }) => addresses?.has(plainAddress(address)) === true);
  return {
    has(host, port) {
      const plain = plainHost(host);
      // A zone of an address names an interface of this machine.
      if (plain.includes('%')) return false;
      if (isIP(plain) !== 0) return hasAddress(plain, port);
      return isListed(port, ({ name }) => name !== undefined && fitsName(plain, name));
    },
    mayConnect: (address, port) => !isInternalAddress(address) || hasAddress(address, port),
  };
}

/** A host without brackets and final dot, in lower case. */
export const plainHost = (host: string): string =>
  host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

function fitsName(host: string, name: string): boolean {
  return name.startsWith('*.') ? host.length > name.length - 1 && host.endsWith(name.slice(1)) : host === name;
}

function hostItem(text: string): HostItem | undefined {
  const [, bracketed, bracketedPort] = /^\[([^\]]*)\](?::(\d{1,5}))?$/.exec(text) ?? [];
  if (bracketed !== undefined) return networkItem(bracketed, bracketedPort);
  if (isAddressOrNetwork(text)) return networkItem(text, undefined);
  const [, host = '', port] = /^([^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (isAddressOrNetwork(host)) return networkItem(host, port);
  if (!NAME.test(host) || !isPort(port)) return undefined;
  return { name: plainHost(host), port: portOf(port) };
}

function networkItem(text: string, port: string | undefined): HostItem | undefined {
  if (!isAddressOrNetwork(text) || !isPort(port)) return undefined;
  return { addresses: addressSet([text]), port: portOf(port) };
}

const isPort = (text: string | undefined): boolean =>
  text === undefined || (Number(text) >= 1 && Number(text) <= MAX_PORT);

const portOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
