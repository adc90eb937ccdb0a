// The address of whoever sent a message, as it is written everywhere.

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** IPv4 in IPv6 is IPv4; which link an address is on says nothing to others. */
export const senderOf = (address: string): string => MAPPED.exec(address)?.[1] ?? address.split('%')[0] ?? address;
