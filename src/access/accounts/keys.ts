// API keys, session tokens and sign-in codes: random, shown once, stored only as a SHA-256. With 256 random bits a plain hash is
// enough, and an index lookup by hash reveals nothing about the key through its timing.

import { hash, randomBytes } from 'node:crypto';

const PREFIX_LENGTH = 10;
export const MIN_MASTER_KEY = 32;

export const newApiKey = (): string => `vgl_${randomBytes(32).toString('base64url')}`;

export const newSessionToken = (): string => randomBytes(32).toString('base64url');

export const newSignInCode = (): string => randomBytes(32).toString('base64url');

export const hashOf = (secret: string): string => hash('sha256', secret, 'hex');

/** The part of a key that lists show, so that its owner recognizes it. */
export const prefixOf = (key: string): string => key.slice(0, PREFIX_LENGTH);
