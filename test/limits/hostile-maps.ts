// Maps of very many members where few are asked for: their keys alone take the main thread a tenth of a second.

import { CURSORS, form, type HostileRequest, json, listOf, VALUES } from './hostile-requests.ts';

const DATASETS = '/api/core/datasets';
const UPLOADS = '/api/core/upload-streams';

const members = (count: number) => listOf(count, (at) => `"k${at}":1`);

export const hostileMaps: readonly HostileRequest[] = [
  {
    it: 'more parameters of a query than there may be, as the text of a form',
    answers: "400 'params' must be shorter than or equal to 1048576 bytes.",
    send: form(CURSORS, () => `q=json+%22%7B%7D%22&params={${listOf(200_000, (at) => `"p${at}":${at}`)}}`),
  },
  {
    it: 'one parameter of a query with as many members as a body may have',
    answers: "400 'params' must be shorter than or equal to 1048576 bytes.",
    send: json(CURSORS, () => `{"q":"json \\"{}\\"","params":{"a":{${members(VALUES - 10)}}}}`),
  },
  {
    it: 'as many tags as a body may have',
    answers: "400 'tags' must be less than or equal to 100 items.",
    send: json(CURSORS, () => `{"q":"json \\"{}\\"","tags":{${listOf(200_000, (at) => `"p${at}":"x"`)}}}`),
  },
  {
    it: 'a pivot with as many members as a body may have',
    answers: "400 'pivot' must be shorter than or equal to 65536 bytes.",
    send: json(DATASETS, () => `{"name":"p","query":"json \\"{}\\"","pivot":{${members(VALUES - 10)}}}`),
  },
  {
    it: 'the metadata of an upload with as many members as a body may have',
    answers: "400 'metadata' must be shorter than or equal to 65536 bytes.",
    send: json(UPLOADS, () => `{"file_name":"f","file_size":1,"metadata":{"table":"pushed",${members(VALUES - 10)}}}`),
  },
  {
    it: 'a grant with as many members as a body may have',
    answers: "400 'shared_users' must be shorter than or equal to 1048576 bytes.",
    send: json(DATASETS, () => {
      const grant = `{"guid":"00000000-0000-4000-8000-000000000000",${members(VALUES - 10)}}`;
      return `{"name":"g","query":"json \\"{}\\"","shared_users":[${grant}],"shared_groups":[]}`;
    }),
  },
];
