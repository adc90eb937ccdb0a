// Certificates of a test's own: signed by themselves, for a name or an address, or by an authority of the test. Encoded here
// (X.509, RFC 5280), so that tests of TLS need no program beside Node.

import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Attributes of a distinguished name, in their order. */
export type Subject = Readonly<Partial<Record<'C' | 'O' | 'CN', string>>>;

/** `names` as a certificate lists them: `DNS:api.example.com`, `IP:127.0.0.1`. */
export const certificateFor = (...names: readonly string[]): Certificate =>
  selfSigned({ CN: uniqueName('test') }, [alternativeNames(names)]);

/** An authority that signs certificates of clients. */
export function authority(): Certificate & { sign(subject: Subject): Certificate } {
  const issuer: Subject = { CN: uniqueName('authority') };
  const own = selfSigned(issuer);
  return {
    ...own,
    sign(subject) {
      const { privateKey, publicKey } = newKeys();
      const cert = certificate({ subject, issuer, publicKey, signer: createPrivateKey(own.key) });
      return { key: pemOf(privateKey), cert };
    },
  };
}

/** Issuers are found by their names: of two with one name the wrong one may be taken. */
const uniqueName = (name: string): string => `${name} ${randomBytes(8).toString('hex')}`;

function selfSigned(subject: Subject, extensions: readonly Buffer[] = []): Certificate {
  const { privateKey, publicKey } = newKeys();
  const all = [isAuthority(), ...extensions];
  const cert = certificate({ subject, issuer: subject, publicKey, signer: privateKey, extensions: all });
  return { key: pemOf(privateKey), cert };
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

interface Contents {
  readonly subject: Subject;
  readonly issuer: Subject;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions?: readonly Buffer[];
}

/** Tags of DER, the encoding of a certificate. */
const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c, printable: 0x13, time: 0x17 } as const;
const BOOLEAN_TRUE = Buffer.from([0x01, 0x01, 0xff]);
const OIDS = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  subjectAltName: [0x55, 0x1d, 0x11],
  basicConstraints: [0x55, 0x1d, 0x13],
  C: [0x55, 0x04, 0x06],
  O: [0x55, 0x04, 0x0a],
  CN: [0x55, 0x04, 0x03],
} as const;
const VERSION_3 = Buffer.from([0xa0, 0x03, TAG.integer, 0x01, 0x02]);
const DAY_MS = 86_400_000;

function certificate({ subject, issuer, publicKey, signer, extensions = [] }: Contents): string {
  const algorithm = sequence(oid('ecdsaWithSha256'));
  const toBeSigned = sequence(
    VERSION_3,
    // A positive number: its first bit is not set.
    der(TAG.integer, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    algorithm,
    nameOf(issuer),
    sequence(timeOf(Date.now() - DAY_MS), timeOf(Date.now() + 2 * DAY_MS)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]),
  );
  const signature = sign('sha256', toBeSigned, signer);
  const whole = sequence(toBeSigned, algorithm, der(TAG.bits, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const nameOf = (subject: Subject): Buffer =>
  sequence(
    ...Object.entries(subject).map(([attribute, text]) => {
      const tag = attribute === 'C' ? TAG.printable : TAG.utf8;
      return der(0x31, sequence(oid(attribute as keyof Subject), der(tag, Buffer.from(text))));
    }),
  );

/** As `YYMMDDhhmmssZ`, which holds until 2049. */
const timeOf = (ms: number): Buffer =>
  der(
    TAG.time,
    Buffer.from(
      `${new Date(ms)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );

const isAuthority = (): Buffer =>
  sequence(oid('basicConstraints'), BOOLEAN_TRUE, der(TAG.octets, sequence(BOOLEAN_TRUE)));

function alternativeNames(names: readonly string[]): Buffer {
  const encoded = names.map((name) => {
    const [kind, value = ''] = name.split(/:(.*)/);
    return kind === 'IP' ? der(0x87, Buffer.from(value.split('.').map(Number))) : der(0x82, Buffer.from(value));
  });
  return sequence(oid('subjectAltName'), der(TAG.octets, sequence(...encoded)));
}

const oid = (name: keyof typeof OIDS): Buffer => der(TAG.oid, Buffer.from(OIDS[name]));
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));

function der(tag: number, content: Buffer): Buffer {
  const length = content.length;
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}
