// API keys and session tokens: random, shown once, kept only as a SHA-256. With 256 random bits a plain hash is
// enough, and looking the hash up in an index tells an attacker's clock nothing about the key.

import { hash, randomBytes } from 'node:crypto';

const PREFIX_LENGTH = 10;
export const MIN_MASTER_KEY = 32;

export const newApiKey = (): string => `vgl_${randomBytes(32).toString('base64url')}`;

export const newSessionToken = (): string => randomBytes(32).toString('base64url');

export const hashOf = (secret: string): string => hash('sha256', secret, 'hex');

/** What a list shows of a key, so that its owner can tell which one it is. */
export const prefixOf = (key: string): string => key.slice(0, PREFIX_LENGTH);
