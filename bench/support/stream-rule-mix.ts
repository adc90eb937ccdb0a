// Many stream rules of all kinds, and an access log of which one record in a hundred fits one of them.

import type { MapValue } from '#query/model/values.ts';
import { chance } from './numbers.ts';
import { recordText, ruleRecords } from './rule-records.ts';

const GROUPS = 20;
/** One record in so many fits. */
export const EVERY = 100;

/** What a kind of rule asks, and what a record must be given to fit the one of this number. */
interface Kind {
  text(number: number): string;
  fitting(number: number): Readonly<Record<string, string | number>>;
}

const groupOf = (number: number): string => `00000000-0000-4000-8000-${String(number % GROUPS).padStart(12, '0')}`;

/** Documentation networks, which the log has no address of. */
export const STREAM_GROUPS = Array.from({ length: GROUPS }, (_, number) => ({
  guid: groupOf(number),
  entries: Array.from({ length: 100 }, (_, at) => `198.${18 + (number % 2)}.${number}.${at}`),
}));

const KINDS: readonly [Kind, ...Kind[]] = [
  {
    text: (number) => `search user == "intruder-${number}"`,
    fitting: (number) => ({ user: `intruder-${number}` }),
  },
  {
    text: (number) => `search in(session, "a-${number}", "b-${number}", "c-${number}")`,
    fitting: (number) => ({ session: `b-${number}` }),
  },
  {
    text: (number) => `search contains(path, "/exploit-${number}/")`,
    fitting: (number) => ({ path: `/cgi-bin/exploit-${number}/run` }),
  },
  {
    text: (number) => `search bytes > 900000 and status == 200 and user == "leaver-${number}"`,
    fitting: (number) => ({ user: `leaver-${number}`, status: 200, bytes: 950_000 }),
  },
  {
    text: (number) => `matchnet field=ip guid=${groupOf(number)} | search user == "kim" and port == ${number}`,
    fitting: (number) => ({
      ip: `198.${18 + (number % 2)}.${number % GROUPS}.${number % 100}`,
      user: 'kim',
      port: number,
    }),
  },
  {
    text: (number) => `search match(agent, "(?i)scanner-${number}/[0-9]+")`,
    fitting: (number) => ({ agent: `Mozilla/5.0 Scanner-${number}/7` }),
  },
];

const kindOf = (number: number): Kind => KINDS[number % KINDS.length] ?? KINDS[0];

/** Texts of as many rules; no two ask the same. */
export const streamRuleTexts = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => kindOf(number).text(number));

/** Texts of records; one in a hundred fits one of so many rules. */
export function streamRecordTexts(count: number, rules: number): string[] {
  const dice = chance(20_261_116);
  return ruleRecords(count).map((record, at) => {
    const sent: MapValue = new Map([...record].filter(([name]) => name !== '_time'));
    if (at % EVERY !== 0) return recordText(sent);
    const number = dice.below(rules);
    return recordText(new Map([...sent, ...Object.entries(kindOf(number).fitting(number))]));
  });
}
