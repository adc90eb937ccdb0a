import { describe, expect, it } from 'vitest';
import { cidrOf } from './addresses.ts';
import { networkRegex } from './network-regex.ts';

const regexOf = (cidr: string) => {
  const network = cidrOf(cidr);
  if (!network) throw new Error(`${cidr} is not a network`);
  return networkRegex(network);
};

describe('The regular expression of an IPv6 network', () => {
  it.each([
    ['2001:db8::/32', '^(?i)(2001):(0db8|db8)(:|$)'],
    ['fe80::/10', '^(?i)(fe[89ab][0-9a-f])(:|$)'],
    [
      '2001:db8::/36',
      '^(?i)(2001):(0db8|db8):(0[0-9a-f][0-9a-f][0-9a-f]|[0-9a-f][0-9a-f][0-9a-f]|[0-9a-f][0-9a-f]|[0-9a-f]|)(:|$)',
    ],
    ['::/0', ''],
  ])('of %s has the digits of its groups', (cidr, regex) => expect(regexOf(cidr)).toBe(regex));

  it.each(['10.0.0.0/8', '2001:db8:0::/48', '::1/128'])('does not exist for %s', (cidr) =>
    expect(regexOf(cidr)).toBeUndefined(),
  );
});
