// Menus of the language, the theme and the time zone.

import { Button } from '#console/components/button.tsx';
import { Menu, MenuChoice } from '#console/components/overlays/menu.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { useZoneChoices } from '#console/time/zone-choice.ts';
import type { Locale } from '#contract/values.ts';
import { chooseTheme, THEMES, useTheme } from './theme.ts';

/** Each language by its own name. */
export const LANGUAGES: readonly { readonly value: Locale; readonly label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'ko', label: '한국어' },
];

export function LanguageChoice() {
  const { locale, labels, choose } = useLanguage();
  return <MenuChoice label={labels.shell.language} value={locale} options={LANGUAGES} onChange={choose} />;
}

export function ThemeChoice() {
  const labels = useLabels();
  const options = THEMES.map((value) => ({ value, label: labels.shell.themes[value] }));
  return <MenuChoice label={labels.shell.theme} value={useTheme()} options={options} onChange={chooseTheme} />;
}

export function ZoneChoice() {
  const { shell } = useLabels();
  const { value, options, choose } = useZoneChoices();
  return <MenuChoice label={shell.timeZone} value={value} options={options} onChange={choose} />;
}

export function LanguageMenu() {
  const { locale } = useLanguage();
  const current = LANGUAGES.find(({ value }) => value === locale);
  return (
    <Menu
      trigger={
        <Button kind="quiet" icon="language">
          {current?.label}
        </Button>
      }
    >
      <LanguageChoice />
    </Menu>
  );
}

export function ThemeMenu() {
  const labels = useLabels();
  const theme = useTheme();
  return (
    <Menu
      trigger={
        <Button kind="quiet" icon="theme">
          {labels.shell.themes[theme]}
        </Button>
      }
    >
      <ThemeChoice />
    </Menu>
  );
}
