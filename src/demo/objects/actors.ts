// The actions of the demo's accounts: work on tickets, queries, an unfinished upload, and a request without permission.

import type { Client } from '#demo/connection.ts';
import { MINUTE_MS } from '#demo/logs/traffic.ts';
import { webMinute } from '#demo/logs/web-logs.ts';
import { Random } from '#demo/random.ts';
import { BATCH_RULES, TICKET_REPOS, TICKETS, USERS } from './guids.ts';
import type { People } from './people.ts';

interface TicketList {
  readonly tickets: readonly { readonly guid: string; readonly rule_guid: string | null }[];
}

export async function simulateWork({ kim, lee }: People, end: number): Promise<void> {
  await workOnTickets(kim, lee);
  await lee.post('/cursors', { q: 'table web | search status >= 500 | stats count by path | sort -count' });
  await kim.post('/cursors', { q: 'proc busiest(10)', tags: { title: '상위 접속 주소' } });
  await lee.ask('GET', '/audit-logs');
  await openUpload(kim, end);
}

async function workOnTickets(kim: Client, lee: Client): Promise<void> {
  const { tickets } = await lee.get<TicketList>('/tickets');
  const brute = tickets.findLast(({ rule_guid }) => rule_guid === BATCH_RULES.brute);
  if (brute) {
    await lee.put(`/tickets/${brute.guid}/assignee-status`, { status: 'IN_PROGRESS' });
    await lee.post(`/tickets/${brute.guid}/comments`, {
      content: '방화벽에서 차단을 요청했습니다. Waiting for the network team.',
    });
    await kim.post(`/tickets/${brute.guid}/comments`, { content: 'Which account did they get into? backup?' });
    await kim.put(`/tickets/${brute.guid}/incident`, { incident: true });
  }
  await kim.post('/tickets', {
    guid: TICKETS.review,
    repo_guid: TICKET_REPOS.soc,
    title: '분기 계정 점검',
    priority: 1,
    format: 'MARKDOWN',
    content: '- 퇴사자 계정\n- accounts without a key\n- 공용 계정 `backup`',
    assignees: [USERS.lee],
    approvers: [USERS.kim],
  });
  await lee.put(`/tickets/${TICKETS.review}/assignee-status`, { status: 'CLOSED' });
  await lee.post(`/tickets/${TICKETS.review}/submit`);
  await kim.put(`/tickets/${TICKETS.review}/approver-status`, { status: 'APPROVED' });
}

const UPLOADED_MINUTES = 20;

/** Uploads two thirds of a file. */
async function openUpload(kim: Client, end: number): Promise<void> {
  const random = new Random('upload');
  const lines = Array.from({ length: UPLOADED_MINUTES }, (_, minute) =>
    webMinute(random, end - (2 * 1440 - minute) * MINUTE_MS),
  );
  const file = Buffer.from(`${lines.flat().join('\n')}\n`);
  const { token } = await kim.post<{ token: string }>('/upload-streams', {
    file_name: 'shop-access-2.ndjson',
    file_size: file.length,
    metadata: { table: 'web', note: '이전 서버의 로그' },
  });
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  };
  await kim.ask('PATCH', `/upload-streams/${token}`, {
    headers,
    body: file.subarray(0, Math.floor((file.length * 2) / 3)),
  });
}
