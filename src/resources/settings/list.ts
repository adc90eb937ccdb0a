// GET /settings

import { localeOf } from '#contract/labels/catalogue.ts';
import { arrayOf, choice, orNull, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { anyText } from '#operations/params/params.ts';
import { SETTING_SOURCES } from '#settings/read-config.ts';
import type { ShownSetting } from '#settings/shown-settings.ts';

interface Needs extends Call {
  /** As the running service has read them. */
  readonly shownSettings: readonly ShownSetting[];
}

export const list = endpoint({
  title: 'List settings',
  notes:
    'The settings of the running service, in the order of the settings reference; a change of the settings file acts ' +
    'with the next start. Secrets are `***`, also user, password and options in the URL of a database. `about` is in ' +
    'the language of `locale`, else of the account. Not audited.',
  method: 'GET',
  path: '/api/core/settings',
  access: 'MASTER',
  params: { locale: described(anyText, 'Language of the meanings; that of the account where absent.', 'ko') },
  answer: record({
    settings: arrayOf(
      record('Setting', {
        name: string('Name of the setting.', 'port'),
        value: orNull(string)('Value in force, as text; null for a setting that is off.', '8470'),
        source: choice(SETTING_SOURCES)('Place that the value was read from.', 'default'),
        about: string('Meaning of the setting.', 'port to listen on'),
      }),
    )('Every setting.'),
  }),

  async run({ locale }, { caller, shownSettings }: Needs) {
    const language = locale === undefined ? caller.locale : localeOf(locale);
    return { settings: shownSettings.map((one) => ({ ...one, about: one.about[language] })) };
  },
});
