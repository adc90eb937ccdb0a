// What holds for all operations, in words: the opening of the reference page and of the reference in Markdown. Code is
// set in backticks.

import { ROLES } from '#contract/values.ts';
import { SENDER_KEY_HEADER, SENDER_SCHEMES, sessionCookieName } from '#operations/credentials.ts';

export interface IntroSection {
  readonly id: string;
  readonly title: string;
  readonly points: readonly string[];
}

export const ABOUT =
  'Every operation of the REST interface, made from the declarations by which the service itself runs.';

export const INTRO: readonly IntroSection[] = [
  {
    id: 'access',
    title: 'Access',
    points: [
      'Send an API key as `Authorization: Bearer <key>`, unless the permission of the operation is none.',
      `Operations that take pushed logs also read the key from ${senderSchemes()} and, without \`Authorization\`, from \`${SENDER_KEY_HEADER}\`.`,
      `The cookie \`${sessionCookieName(false)}\` of a console session, under TLS \`${sessionCookieName(true)}\`, is taken in place of a key. A request with it, other than GET, must come from the service’s own origin.`,
      'Failed authentications of an address beyond `failed-auth-limit` within a minute of the first get 429 in place of 401; a valid key is never locked out.',
      `A key has the role of its account. The roles, highest first: ${ROLES.join(', ')}.`,
    ],
  },
  {
    id: 'parameters',
    title: 'Parameters',
    points: [
      'GET takes its parameters from the query string. POST and PUT take them from the body, as a form (`application/x-www-form-urlencoded`) or as a JSON object (`application/json`) with the same names. DELETE takes both; the body wins.',
      'A list is one value with commas between the items; a JSON body may give an array. A required list without items counts as missing. Where absent fields are kept, only a JSON body can empty a list, with `[]`.',
      'A body is UTF-8 without a content encoding, otherwise 415. Another JSON type for a text is 400 `<p> should be string type`. Bytes beyond ASCII in the request line must be percent-encoded.',
      'A time is written `yyyy-MM-dd HH:mm:ssZ`, such as `2026-01-31 09:00:00+0900`.',
      'An empty value, and null in JSON, counts as not given. A parameter that is no list is given once. Unknown parameters are ignored.',
      'Parameters are checked in the order in which they are listed; the first complaint is the answer.',
    ],
  },
  {
    id: 'answers',
    title: 'Answers',
    points: [
      'Status 200 and one JSON object, unless the operation names another media type. Optional fields are left out when they have no value.',
      'Every answer carries `X-Request-Id`; the service log and the audit entry name the same id.',
      'Fields and operations may be added; ignore the fields you do not know.',
      '`GET /openapi.json` describes the same operations for programs.',
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    points: [
      'An error has changed nothing. Its body is one JSON object: `error_code` for programs and `error_msg`.',
      'An operation on several objects answers 200 and lists in `failures` those it left alone, each with its reason.',
      'Checks come in this order: route and method (404, 405), service state (503), key (401, 429), permission (500), body (413, 415, 400), parameters (400), the state of things (500). A malformed body is 400 also where it has too many values.',
      'A corrupt file is 500 `table is damaged: <table> [file: <file>]`, once in the service log and counted in `vigil_damaged_files_total`; pushes continue. A full metadata store is 500 `no space left: metadata`.',
    ],
  },
];

function senderSchemes(): string {
  const inBrackets = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
  const schemes = SENDER_SCHEMES.map(({ name, about }) => `\`Authorization: ${name}\` (${inBrackets(about)})`);
  return schemes.join(', ');
}
