// The normalized address of the sender of a message.

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Maps IPv4 in IPv6 to IPv4 and removes the zone of a link-local address. */
export const senderOf = (address: string): string => MAPPED.exec(address)?.[1] ?? address.split('%')[0] ?? address;
