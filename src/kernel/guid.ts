// GUIDs identify almost everything on the wire: 8-4-4-4-12 hexadecimal digits, stored and compared in lower case.

import { randomUUID } from 'node:crypto';

const PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const newGuid = (): string => randomUUID();

export const isGuid = (text: string): boolean => PATTERN.test(text);
