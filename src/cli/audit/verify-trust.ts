// The evidence that a log is checked against, named by flags: the public key, the witness, a saved proof. None of it comes
// from the database, which is under suspicion.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isWitnessFile, witnessFile } from '#audit/chain/keys.ts';
import { type Proof, parseProof } from '#audit/verify/proof.ts';
import type { Trusted } from '#audit/verify/verify-database.ts';
import type { Flags, ParsedArguments } from '#cli/kit/command.ts';
import { codeOf } from '#cli/kit/failures/failure.ts';
import { isGuid } from '#kernel/guid.ts';
import { UsageError } from '#kernel/usage-error.ts';

/** The name in #audit/keys.ts, whose reader would also create the file. */
const SIGNING_KEY = 'audit-signing-key.pem';

export const trustFlags: Flags = {
  witness: {
    hint: 'FILES',
    about: {
      en: 'witness in place of the one in the keys folder; those of several nodes separated by commas',
      ko: '키 폴더의 증인 파일 대신 쓸 파일, 여러 노드의 것은 쉼표로 구분',
    },
  },
  proof: {
    hint: 'FILE',
    about: {
      en: 'saved answer of GET /audit-logs/proof, taken before the export',
      ko: '내보내기 전에 받아 저장한 GET /audit-logs/proof 응답',
    },
  },
  'public-key': {
    hint: 'KEY',
    about: {
      en: 'public key, as a file or in base64, for use without the keys folder',
      ko: '키 폴더가 없을 때 쓸 공개 키, 파일 또는 base64',
    },
  },
};

/** `installation` is the name in the database; an export has none. */
export function trustFor(flags: ParsedArguments['flags'], keys: string, installation?: string): Trusted {
  const hasFolder = flags.keys !== undefined || flags['public-key'] === undefined;
  const publicKey = flags['public-key'] === undefined ? keyInFolder(keys) : givenKey(flags['public-key']);
  const proof = flags.proof === undefined ? undefined : readProof(flags.proof);
  const found = hasFolder && flags.witness === undefined ? witnessesIn(keys, installation) : [];
  const witnesses = flags.witness === undefined ? found : namedFiles(flags.witness);
  return { publicKey, proof, witnesses, needsWitness: hasFolder || witnesses.length > 0 };
}

function keyInFolder(folder: string): KeyObject {
  const file = join(folder, SIGNING_KEY);
  if (!existsSync(file)) throw new UsageError('verify-no-key', { file });
  return createPublicKey(readText(file));
}

function givenKey(given: string): KeyObject {
  const text = existsSync(given) ? readText(given).trim() : given;
  try {
    const key = text.startsWith('-----')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new UsageError('verify-bad-key', { given }, { cause });
  }
  throw new UsageError('verify-bad-key', { given });
}

function readProof(path: string): Proof {
  const proof = parseProof(readText(path));
  if (!proof) throw new UsageError('verify-bad-proof', { path });
  return proof;
}

function witnessesIn(folder: string, installation: string | undefined): string[] {
  if (installation === undefined) return onlyWitnessIn(folder);
  // The name comes from the database: an invalid one could lead to a forged file.
  const file = isGuid(installation) ? witnessFile(folder, installation) : '';
  return existsSync(file) ? [file] : [];
}

function onlyWitnessIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const witnesses = names.filter(isWitnessFile);
  if (witnesses.length > 1) throw new UsageError('verify-several-witnesses', { folder });
  return witnesses.map((name) => join(folder, name));
}

function namedFiles(text: string): string[] {
  const files = text.split(',').map((file) => file.trim());
  const missing = files.find((path) => !existsSync(path));
  if (missing !== undefined) throw new UsageError('no-such-file', { path: missing });
  return files;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    throw code === 'ENOENT'
      ? new UsageError('no-such-file', { path })
      : new UsageError('cannot-read', { path, code }, { cause });
  }
}
