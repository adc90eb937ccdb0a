// The zone in which times are shown: that of the account until the reader chooses another one.

import { usePreference, writePreference } from '#console/client/preference.ts';
import { useAccount } from '#console/client/session.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { browserZone } from './moments.ts';

const CHOICES = ['account', 'browser', 'utc'] as const;
export type ZoneChoice = (typeof CHOICES)[number];

const zonesOf = (account: string): Readonly<Record<ZoneChoice, string>> => ({
  account,
  browser: browserZone(),
  utc: 'UTC',
});

/** Zones by their names, each once; the chosen one is always among them. */
export const shownChoices = (zones: Readonly<Record<ZoneChoice, string>>, chosen: ZoneChoice): readonly ZoneChoice[] =>
  CHOICES.filter(
    (choice) =>
      choice === chosen || CHOICES.findIndex((other) => zones[other] === zones[choice]) === CHOICES.indexOf(choice),
  );

export const choiceOf = (text: string | undefined): ZoneChoice =>
  CHOICES.find((choice) => choice === text) ?? 'account';

/** `account` is the zone of the account. */
export const useChosenZone = (account: string): string => zonesOf(account)[choiceOf(usePreference('timeZone'))];

interface ZoneChoices {
  readonly value: ZoneChoice;
  readonly options: readonly { readonly value: ZoneChoice; readonly label: string }[];
  choose(choice: ZoneChoice): void;
}

/** That of the browser moves with its machine. */
export function useZoneChoices(): ZoneChoices {
  const { shell } = useLabels();
  const { time_zone } = useAccount();
  const value = choiceOf(usePreference('timeZone'));
  const zones = zonesOf(time_zone);
  return {
    value,
    options: shownChoices(zones, value).map((choice) => ({
      value: choice,
      label: choice === 'utc' ? zones.utc : shell.zones[choice](zones[choice]),
    })),
    choose: (choice) => writePreference('timeZone', choice),
  };
}
