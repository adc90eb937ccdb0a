// Answers as they come from a raw socket, for load generators that must be quicker than what they measure.

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('\r\ncontent-length: ');
const OK = Buffer.from('HTTP/1.1 200');

export const isOk = (received: Buffer): boolean => received.subarray(0, OK.length).equals(OK);

export function isWhole(received: Buffer): boolean {
  const end = received.indexOf(HEAD_END);
  if (end === -1) return false;
  const at = received.indexOf(LENGTH);
  if (at === -1 || at > end) throw new Error('an answer without content-length');
  const from = at + LENGTH.length;
  const length = Number(received.toString('latin1', from, received.indexOf(13, from)));
  return received.length >= end + HEAD_END.length + length;
}

/** Of a whole answer. */
export const bodyOf = (received: Buffer): string =>
  received.toString('utf8', received.indexOf(HEAD_END) + HEAD_END.length);
