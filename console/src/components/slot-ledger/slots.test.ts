// Slots of a schedule: what became of each, and of a group of them.

import { describe, expect, it } from 'vitest';
import { en } from '#console/labels/en.ts';
import { ko } from '#console/labels/ko.ts';
import { fateOf, fateText, type Slot, slotsText, toneOfSlots, tookMs } from './slots.ts';

/** A slot with the fields that are read here. */
const slot = (fields: Partial<Slot>): Slot => ({ outcome: 'ran', state: null, reason: null, ...fields }) as Slot;
const MISSED = slot({ outcome: 'missed', reason: 'service-down' });
const SUCCEEDED = slot({ state: 'succeeded' });

describe('A slot', () => {
  it.each([
    [{ outcome: 'ran', reason: null, state: 'succeeded' }, 'succeeded'],
    [{ outcome: 'ran', reason: null, state: 'failed' }, 'failed'],
    [{ outcome: 'ran', reason: null, state: 'cancelled' }, 'cancelled'],
    [{ outcome: 'missed', reason: null, state: null }, 'missed'],
    [{ outcome: 'skipped', reason: null, state: null }, 'skipped'],
    [{ outcome: 'ran', reason: null, state: null }, 'running'],
    [{ outcome: 'backfilled', reason: null, state: 'queued' }, 'queued'],
    [{ outcome: 'skipped', reason: 'covered', state: null }, 'covered'],
    [{ outcome: 'skipped', reason: 'covered', state: 'failed' }, 'failed'],
  ] as const)('%j is %s', (fields, fate) => {
    expect(fateOf(fields)).toBe(fate);
  });

  it('is named in the language of the reader', () => {
    expect([fateText('missed', en.slots), fateText('failed', en.slots)]).toEqual(['Missed', 'Failed']);
    expect(fateText('skipped', ko.slots)).toBe(ko.slots.outcomes.skipped);
  });

  it.each([
    ['2026-11-15 10:00:00+0900', '2026-11-15 10:00:01.500+0900', 1500],
    ['2026-11-15 10:00:00+0900', null, undefined],
    [null, null, undefined],
    ['soon', '2026-11-15 10:00:01+0900', undefined],
  ])('from %s to %s took %s milliseconds', (started, finished, took) => {
    expect(tookMs({ started, finished })).toBe(took);
  });
});

describe('Slots together', () => {
  it('have the colour of the worst', () => {
    expect(toneOfSlots([SUCCEEDED, MISSED])).toBe('medium');
    expect(toneOfSlots([SUCCEEDED, MISSED, slot({ state: 'failed' })])).toBe('high');
    expect(toneOfSlots([SUCCEEDED])).toBe('good');
    expect(toneOfSlots([])).toBe('good');
  });

  it('are counted by what became of them, the worst first, each reason once', () => {
    expect(slotsText([SUCCEEDED, MISSED, MISSED], en.slots)).toBe(
      '3 slots: 2 Missed (The service was not running), 1 Succeeded',
    );
  });
});
