// GET /settings

import { type Call, endpoint } from '#http/endpoint.ts';
import { arrayOf, choice, orNull, record, string } from '#http/shapes.ts';
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
    'the language of the account. Not audited.',
  method: 'GET',
  path: '/api/core/settings',
  access: 'MASTER',
  params: {},
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

  async run(_input, { caller, shownSettings }: Needs) {
    return { settings: shownSettings.map((one) => ({ ...one, about: one.about[caller.locale] })) };
  },
});
