// The settings of a node among those of an installation: its name, its types, how others reach it, and its lease.

import { resolve } from 'node:path';
import { NODE_TYPES, type NodeType } from '#contract/values.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { items, number, oneOf, setting, yesNo } from '#settings/setting.ts';

const NAME_FORM = /^[\p{L}\p{N}._-]{1,50}$/u;

export const nodeSettings = {
  node: setting({
    hint: 'NAME',
    about: {
      en: 'name of this node; by default the name that the data folder has kept from its first start, which is that of the host',
      ko: '이 노드의 이름, 기본값은 첫 시작부터 데이터 폴더에 보관된 이름이며 처음에는 호스트 이름',
    },
    initial: undefined,
    read(text, name) {
      const normalized = text.normalize();
      if (!NAME_FORM.test(normalized)) throw new UsageError('setting-not-a-node', { name, text });
      return normalized;
    },
  }),
  standby: setting({
    about: {
      en: 'waits with the data folder of another node, under a name of its own, and starts in its place when that node has gone',
      ko: '다른 노드의 데이터 폴더로 자기 이름을 가지고 대기하다가, 그 노드가 사라지면 그 자리에서 시작함',
    },
    initial: 'false',
    read: yesNo,
  }),
  'node-types': setting<readonly NodeType[]>({
    hint: 'TYPES',
    about: {
      en: 'types of this node, comma-separated: control, data; scheduled queries with `node_types` run on nodes of these types',
      ko: '이 노드의 유형, 쉼표로 구분: control, data, `node_types`가 있는 예약 쿼리는 그 유형의 노드에서 실행됨',
    },
    initial: NODE_TYPES.join(','),
    read(text, name) {
      const listed = items(text).map((item) => oneOf(NODE_TYPES)(item, name));
      if (listed.length === 0)
        throw new UsageError('setting-not-one-of', { name, text, values: NODE_TYPES.join(', ') });
      return NODE_TYPES.filter((type) => listed.includes(type));
    },
  }),
  'node-renewal': setting({
    hint: 'SECONDS',
    about: { en: 'time between renewals of the lease of this node', ko: '이 노드의 임대를 갱신하는 주기' },
    initial: '10',
    read: number(1, 3600),
  }),
  'node-lease': setting({
    hint: 'SECONDS',
    about: {
      en: 'time after its last renewal when the lease of this node has ended, by the clock of the database; at least three renewals',
      ko: '마지막 갱신 뒤 이 노드의 임대가 끝나기까지의 시간, 데이터베이스 시계 기준, 갱신 주기의 세 배 이상',
    },
    initial: '60',
    read: number(3, 86_400),
  }),
  'master-secret-file': setting({
    hint: 'FILE',
    about: {
      en: 'file of the master secret, the same for all nodes; by default in the keys folder',
      ko: '모든 노드가 함께 쓰는 마스터 시크릿 파일, 기본값은 키 폴더의 파일',
    },
    initial: undefined,
    read: (text) => resolve(text),
  }),
  advertise: setting({
    hint: 'URL',
    about: {
      en: 'https:// URL by which other nodes reach this one; by default the address that it listens on is shown',
      ko: '다른 노드가 이 노드에 접속하는 https:// URL, 기본값은 수신 주소를 표시함',
    },
    initial: undefined,
    read(text, name) {
      const url = URL.parse(text);
      const isPlain =
        url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '' && url.pathname === '/';
      if (!isPlain || !/^https?:$/.test(url.protocol)) throw new UsageError('setting-not-a-node-url', { name });
      return url.origin;
    },
  }),
  'advertise-http': setting({
    about: {
      en: 'allows advertise to be an http:// URL, so that keys are sent between nodes without TLS',
      ko: 'advertise에 http:// URL을 허용함, 이때 노드 사이에 키가 TLS 없이 전송됨',
    },
    initial: 'false',
    read: yesNo,
  }),
} as const;

/** Throws a UsageError for values that contradict each other. */
export function requireFittingNode(config: {
  readonly 'node-renewal': number;
  readonly 'node-lease': number;
  readonly advertise?: string;
  readonly 'advertise-http': boolean;
}): void {
  if (config['node-lease'] < 3 * config['node-renewal']) throw new UsageError('node-lease-too-short');
  if (config.advertise?.startsWith('http:') && !config['advertise-http']) throw new UsageError('advertise-not-https');
}
