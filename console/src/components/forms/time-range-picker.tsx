// The time range of a page: up to now, or from one moment to another in the zone of the reader.

import { useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { Popover } from '#console/components/overlays/popover.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { textOf } from '#console/time/moments.ts';
import {
  LENGTHS,
  lengthOf,
  rangeOfWallClocks,
  resolveRange,
  type TimeRange,
  wallClockOf,
} from '#console/time/ranges.ts';
import { useZone } from '#console/time/time.tsx';
import { useZoneChoices } from '#console/time/zone-choice.ts';
import { Field, TextField } from './field.tsx';
import { Select } from './select.tsx';
import styles from './time-range-picker.module.css';

interface TimeRangePickerProps {
  readonly value: TimeRange;
  onChange(range: TimeRange): void;
}

export function TimeRangePicker({ value, onChange }: TimeRangePickerProps) {
  const { range: labels } = useLabels();
  const [isOpen, setOpen] = useState(false);
  const text = useRangeText(value);
  const zone = useZone();
  const choose = (range: TimeRange) => {
    setOpen(false);
    onChange(range);
  };
  return (
    <Popover
      label={labels.label}
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button icon="clock" aria-label={`${labels.label}: ${text}`}>
          {text}
        </Button>
      }
    >
      <div className={styles.picker}>
        <section>
          <h3>{labels.relative}</h3>
          <ul className={styles.lengths}>
            {LENGTHS.map((length) => (
              <li key={length}>
                <Button
                  kind="quiet"
                  size="small"
                  aria-pressed={lengthOf(value) === length}
                  onClick={() => choose({ from: `now-${length}`, to: 'now' })}
                >
                  {labels.last[length]}
                </Button>
              </li>
            ))}
          </ul>
        </section>
        {/* Wall clocks are of a zone. */}
        <AbsoluteForm key={zone} value={value} onChange={choose} />
      </div>
    </Popover>
  );
}

/** The range in words. */
export function useRangeText(range: TimeRange): string {
  const { range: labels } = useLabels();
  const zone = useZone();
  const length = lengthOf(range);
  const known = LENGTHS.find((candidate) => candidate === length);
  if (known) return labels.last[known];
  if (length !== undefined) return labels.lastOther(length);
  const { from, to } = resolveRange(range);
  return `${textOf(from, zone, 'minute')} – ${range.to === 'now' ? labels.now : textOf(to, zone, 'minute')}`;
}

function AbsoluteForm({ value, onChange }: TimeRangePickerProps) {
  const { range: labels, common, shell } = useLabels();
  const zones = useZoneChoices();
  const zone = useZone();
  const [initial] = useState(() => resolveRange(value));
  const [from, setFrom] = useState(() => wallClockOf(initial.from, zone));
  const [to, setTo] = useState(() => wallClockOf(initial.to, zone));
  const range = rangeOfWallClocks(from, to, zone);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (range) onChange(range);
      }}
    >
      <h3>{labels.absolute}</h3>
      <TextField label={labels.from} type="datetime-local" step="1" value={from} onChange={setFrom} />
      <TextField
        label={labels.to}
        type="datetime-local"
        step="1"
        value={to}
        onChange={setTo}
        mistake={range ? undefined : labels.wrongOrder}
      />
      <Field label={shell.timeZone}>
        {() => <Select label={shell.timeZone} value={zones.value} options={zones.options} onChange={zones.choose} />}
      </Field>
      <Button kind="primary" type="submit" disabled={!range}>
        {common.apply}
      </Button>
    </form>
  );
}
