// Escaped text inside XML and HTML. Line ends and tabs are escaped by number, because parsers of both normalize them.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const markup = (text: string): string =>
  /[&<>"'\r]/.test(text)
    ? text.replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`)
    : text;

/** Text inside a quoted attribute. */
export const attribute = (text: string): string =>
  markup(text).replace(/[\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
