// Techniques and tactics of MITRE ATT&CK by their ids.

import { TACTICS, TECHNIQUES } from './mitre-techniques.ts';

interface Tactic {
  readonly mitre_id: string;
  /** Null for an unknown id. */
  readonly name: string | null;
}

interface Technique extends Tactic {
  /** With the name of the parent technique. */
  readonly display_name: string | null;
  readonly url: string | null;
  readonly tactics: readonly Tactic[];
}

let known: ReadonlyMap<string, Technique> | undefined;

export function techniqueOf(id: string): Technique {
  known ??= new Map(TECHNIQUES.trim().split('\n').flatMap(techniquesOn));
  return known.get(id) ?? { mitre_id: id, name: null, display_name: null, url: null, tactics: [] };
}

export function tacticOf(id: string): Tactic {
  const tactic = Object.values(TACTICS).find(([tacticId]) => tacticId === id);
  return { mitre_id: id, name: tactic?.[1] ?? null };
}

function techniquesOn(line: string): [string, Technique][] {
  const [id = '', name = '', letters = '', ...parts] = line.split('|');
  const tactics = letters.split(',').map((letter) => {
    const [mitre_id, tactic] = TACTICS[letter] ?? [letter, null];
    return { mitre_id, name: tactic };
  });
  const url = `https://attack.mitre.org/techniques/${id}`;
  const whole: [string, Technique] = [id, { mitre_id: id, name, display_name: name, url, tactics }];
  const subs = parts.map((part, index): [string, Technique] => {
    const number = String(index + 1).padStart(3, '0');
    const mitre_id = `${id}.${number}`;
    return [mitre_id, { mitre_id, name: part, display_name: `${name}: ${part}`, url: `${url}/${number}`, tactics }];
  });
  return [whole, ...subs.filter(([, { name: part }]) => part !== '')];
}
