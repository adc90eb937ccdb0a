// The form of a `table` or `fulltext` command that gives records as they arrive. The command line and the console follow
// records with the same text.

const OPTION = /^[a-z]+=(?!=)(?:"(?:\\.|[^"\\])*"|\$\([^)]*\)|\S+)\s*/;

/** Options that choose and order stored records; records that arrive have neither range nor order. */
const OF_STORED = ['duration', 'from', 'to', 'window', 'order', 'offset', 'limit', 'parallel'];

/** Of a command that is written whole, `table order=asc web`. */
export function liveDriver(command: string, seconds: number): string {
  const name = /^\S*/.exec(command)?.[0] ?? '';
  const { options, rest } = partsOf(command.slice(name.length).trim());
  const kept = options.filter((option) => !OF_STORED.includes(option.slice(0, option.indexOf('='))));
  return [name, `window=${seconds}s`, ...kept, rest].join(' ');
}

/** Of the text behind the name of a driver. */
export const withoutOptions = (objects: string): string => partsOf(objects).rest;

function partsOf(objects: string): { readonly options: readonly string[]; readonly rest: string } {
  const options: string[] = [];
  let rest = objects;
  for (let option = OPTION.exec(rest); option; option = OPTION.exec(rest)) {
    options.push(option[0].trim());
    rest = rest.slice(option[0].length);
  }
  return { options, rest };
}
