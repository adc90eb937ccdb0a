// Two dashboards of the demo: the attacks of the day, and the shop.

import type { Client } from '#demo/connection.ts';
import { DASHBOARDS, USER_GROUPS } from './guids.ts';

const FAILED = 'table auth | search result == "failure"';
const DENIED = 'table firewall | search action == "deny"';
const COLUMNS = 12;
const DAY = 86_400;

type Box = readonly [x: number, y: number, w: number, h: number];

const panel = (id: string, title: string, chart: string, [x, y, w, h]: Box, query: string) => ({
  id,
  title,
  query,
  chart,
  x,
  y,
  w,
  h,
});

const SECURITY = [
  panel('failed', '로그인 실패', 'number', [0, 0, 3, 3], `${FAILED} | stats count as failures`),
  panel('addresses', '실패한 주소 수', 'number', [3, 0, 3, 3], `${FAILED} | stats dc(src_ip) as addresses`),
  panel('denied', '차단된 연결', 'number', [6, 0, 3, 3], `${DENIED} | stats count as denied`),
  panel('actions', '방화벽 처리', 'pie', [9, 0, 3, 5], 'table firewall | stats count by action'),
  panel('failures', '시간별 로그인 실패', 'bar', [0, 3, 9, 5], `${FAILED} | timechart span=10m count`),
  panel('denials', '시간별 차단', 'area', [0, 8, 6, 5], `${DENIED} | timechart span=10m count`),
  panel('attackers', '공격자', 'bar', [6, 8, 6, 5], `${FAILED} | stats count by src_ip | sort -count | limit 8`),
  panel('guessed', '시도한 계정', 'table', [9, 5, 3, 3], `${FAILED} | stats count by user | sort -count | limit 20`),
];

const SHOP = [
  panel('requests', 'Requests', 'line', [0, 0, 8, 5], 'table web | timechart span=10m count'),
  panel('statuses', 'By status', 'pie', [8, 0, 4, 5], 'table web | stats count by status | sort -count'),
  panel('paths', 'Most asked paths', 'bar', [0, 5, 5, 6], 'table web | stats count by path | sort -count | limit 10'),
  panel(
    'errors',
    'Errors',
    'table',
    [5, 5, 7, 6],
    'table web | search status >= 500 | stats count, max(_time) as last by path | sort -count | limit 50',
  ),
];

const LIST = [
  {
    guid: DASHBOARDS.security,
    name: '보안 현황',
    description: 'Attacks of the last day: failed logins and what the firewall denied',
    layout: { columns: COLUMNS, span: { last: DAY }, panels: SECURITY },
  },
  {
    guid: DASHBOARDS.shop,
    name: 'Shop',
    description: '한빛몰의 웹 접속',
    layout: { columns: COLUMNS, span: { last: DAY }, panels: SHOP },
  },
];

export async function makeDashboards(kim: Client): Promise<void> {
  for (const dashboard of LIST) {
    await kim.post('/dashboards', { ...dashboard, shared_groups: [{ guid: USER_GROUPS.soc, read_only: true }] });
  }
}
