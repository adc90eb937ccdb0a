// Records and moments that the promises of an engine are tried with.

import { shapeOf } from '#logs/shape.ts';
import type { WantedRecords } from './suite.ts';

export const NOW = '2026-11-15T03:00:00Z';
export const TIME = Temporal.Instant.from(NOW).epochMilliseconds;
export const DAY = 86_400_000;
export const ALL: WantedRecords = { range: {}, order: 'asc', offset: 0, limit: 1_000_000 };

export const record = (text: string, time = TIME) => ({ time, text, shape: shapeOf(JSON.parse(text)) });
