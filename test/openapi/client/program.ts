// A client written against the generated types: it creates a user, reads the user back and prints what it saw as JSON.

import createClient from 'openapi-fetch';
import type { paths } from './generated/schema.ts';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

const created = await client.POST('/api/core/users', {
  body: { login: 'generated', name: 'Generated client', role: 'MEMBER' },
});
if (!created.data) throw new Error(created.error.error_msg);
const { guid } = created.data;

const found = await client.GET('/api/core/users/{guid}', { params: { path: { guid } } });
const name: string | undefined = found.data?.user?.name;

const listed = await client.GET('/api/core/users', { params: { query: { limit: 1 } } });
const total: number | undefined = listed.data?.total_count;

const refused = await client.GET('/api/core/users', { params: { query: { limit: -1 } } });
const code: string | undefined = refused.error?.error_code;

// @ts-expect-error: the document has no such path.
await client.GET('/api/core/nowhere');

console.log(JSON.stringify({ name, total, code }));
