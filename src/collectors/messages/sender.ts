// The sender of a message, as far as it is known.

export interface Sender {
  /** Normalized address. */
  readonly ip: string;
  /** Subject of its checked certificate; null where certificates are checked and the sender has none. */
  readonly name?: string | null;
}

/** The fields of the sender; they override fields of these names in the message. */
export const senderFields = ({ ip, name }: Sender): Map<string, string | null> =>
  new Map<string, string | null>([['sender_ip', ip], ...(name === undefined ? [] : [['sender_name', name] as const])]);

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Maps IPv4 in IPv6 to IPv4 and removes the zone of a link-local address. */
export const senderIp = (address: string): string => MAPPED.exec(address)?.[1] ?? address.split('%')[0] ?? address;
