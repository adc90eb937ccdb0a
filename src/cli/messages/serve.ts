// Texts of `vigil serve`, and of commands on the folders of a stopped service.

import type { Messages } from './message.ts';

export const serve = {
  'cannot-listen': {
    en: 'cannot listen on {host}:{port} ({code})',
    ko: '{host}:{port}에서 수신할 수 없습니다 ({code})',
  },
  'installation-not-guid': {
    en: 'the database names its installation `{guid}`, which is not a GUID: the database was tampered with',
    ko: '데이터베이스에 적힌 설치 이름이 GUID가 아닙니다: `{guid}`: 데이터베이스가 변조되었습니다',
  },
  'port-in-use': {
    en: 'port {port} on {host} is in use: stop the other program or choose another with --port',
    ko: '{host}의 포트 {port}번을 이미 쓰고 있습니다: 다른 프로그램을 멈추거나 --port로 다른 포트를 고르십시오',
  },
  'serve-ready': { en: 'Vigil is ready at {url}', ko: 'Vigil이 준비되었습니다: {url}' },
  'serve-key': {
    en: 'The key of the account `master`, shown only this once:',
    ko: '`master` 계정의 키이며, 지금 한 번만 보여 줍니다:',
  },
  'serve-console': { en: 'The console is at {url}', ko: '콘솔 주소: {url}' },
  'serve-link': {
    en: 'Open the console with this link, which signs in once, within ten minutes:',
    ko: '십 분 안에 한 번 쓸 수 있는 이 링크로 콘솔을 여십시오:',
  },
  'serve-try': { en: 'Try it:', ko: '다음을 실행해 보십시오:' },
  'serve-secret-missing': {
    en: 'the master secret {file} is missing. The tables under the crypto profiles {profiles} stay closed, all others work. Put the file back from its copy, or name the right keys folder with --keys, and start again.',
    ko: '마스터 시크릿 파일이 없습니다: {file}. 암호화 프로파일 {profiles}의 테이블은 닫혀 있고 다른 테이블은 모두 동작합니다. 사본에서 파일을 되돌려 놓거나 --keys로 올바른 키 폴더를 지정한 뒤 다시 시작하십시오.',
  },
  'serve-secret-wrong': {
    en: 'the master secret {file} is not the one that the crypto profiles {profiles} were made with. Their tables stay closed, all others work. Put the right file back from its copy, or name the right keys folder with --keys, and start again.',
    ko: '마스터 시크릿 파일이 암호화 프로파일을 만들 때 쓴 것이 아닙니다: {file}, 프로파일 {profiles}. 해당 테이블은 닫혀 있고 다른 테이블은 모두 동작합니다. 사본에서 올바른 파일을 되돌려 놓거나 --keys로 올바른 키 폴더를 지정한 뒤 다시 시작하십시오.',
  },
  'serve-stopping': { en: 'Stopping.', ko: '멈추는 중입니다.' },
  'audit-key-foreign': {
    en: 'audit key is not that of this installation: {fingerprint}; {file} is missing or another one: name the right keys folder with --keys, or put the file back from its copy; vigil key renew-audit makes a new key if it is lost',
    ko: '감사 키가 이 설치의 것이 아닙니다: {fingerprint}; 파일이 없거나 다른 파일입니다: {file}: --keys로 올바른 키 폴더를 지정하거나 사본에서 파일을 되돌려 놓으십시오. 잃어버렸다면 vigil key renew-audit로 새 키를 만듭니다',
  },
  'audit-head-foreign': {
    en: 'the audit trail does not have entry {id} as its witness {file} holds it: the data folder is an older copy, was changed, or a copy of it was started with the same keys folder. Start the folder that was used last, or give this one with --keys a keys folder of the same time. To go on with it all the same, move the witness away and run vigil key renew-audit, which records the gap; vigil audit verify shows what differs',
    ko: '감사 기록의 {id}번이 증인 파일에 적힌 것과 다릅니다: {file}: 데이터 폴더가 예전 사본이거나, 변경되었거나, 사본이 같은 키 폴더로 시작된 적이 있습니다. 마지막에 쓴 폴더를 시작하거나, 같은 시점의 키 폴더를 --keys로 지정하십시오. 그대로 이어 가려면 증인 파일을 다른 곳으로 옮기고, 끊긴 자리를 기록하는 vigil key renew-audit를 실행하십시오. 무엇이 다른지는 vigil audit verify로 볼 수 있습니다',
  },
  'witness-in-use': {
    en: 'another Vigil process writes to the audit witness {file}: a copy of a data folder needs a keys folder of its own, which --keys names',
    ko: '다른 Vigil 프로세스가 감사 증인 파일에 쓰고 있습니다: {file}: 데이터 폴더의 사본에는 별도의 키 폴더가 필요하며 --keys로 지정합니다',
  },
  'disk-full': {
    en: 'no space left for {path}: make room on its disk, and start again',
    ko: '{path}에 쓸 공간이 없습니다: 디스크에 공간을 만든 뒤 다시 시작하십시오',
  },
  'data-folder-in-use': {
    en: 'the data folder {folder} is in use by another Vigil process',
    ko: '다른 Vigil 프로세스가 데이터 폴더를 쓰고 있습니다: {folder}',
  },
  'database-unfit': {
    en: 'the database is PostgreSQL {version} with the encoding {encoding}: PostgreSQL 13 or newer and UTF8 are needed',
    ko: '데이터베이스는 PostgreSQL {version}이며 인코딩은 {encoding}입니다: PostgreSQL 13 이상과 UTF8이 필요합니다',
  },
  'database-newer': {
    en: 'the database is at migration {newest}, this version knows {known}: run the newer version',
    ko: '데이터베이스는 마이그레이션 {newest}까지 진행되었고 이 버전은 {known}까지만 압니다: 더 새로운 버전을 실행하십시오',
  },
  'keys-folder-open': {
    en: 'keys folder is open to others: chmod -R {who}= {folder}',
    ko: '키 폴더가 다른 사용자에게 열려 있습니다: chmod -R {who}= {folder}',
  },
  'logs-kept-elsewhere': {
    en: 'node {node} keeps the logs of this database: use --logs, or --standby with its data folder',
    ko: '노드 {node}에 이 데이터베이스의 로그가 있습니다: --logs를 쓰거나, 그 데이터 폴더로 --standby를 쓰십시오',
  },
  'logs-lost': {
    en: 'another process keeps the logs of this database now: this process ends, and has written nothing since',
    ko: '이제 다른 프로세스가 이 데이터베이스의 로그를 보관합니다: 이 프로세스는 끝나며, 그 뒤로 아무것도 기록하지 않았습니다',
  },
  'logs-not-here': {
    en: 'the database lists records that the data folder {folder} does not hold: start the service with the folder that does',
    ko: '데이터베이스에 있는 레코드가 데이터 폴더 {folder}에 없습니다: 레코드가 있는 폴더로 서비스를 시작하십시오',
  },
  'logs-on-clickhouse': {
    en: 'logs of this database are on ClickHouse: use --logs',
    ko: '이 데이터베이스의 로그는 ClickHouse에 있습니다: --logs를 쓰십시오',
  },
  'log-store-denies': {
    en: 'log store refuses {privilege} to {user} on {host}: {grant}',
    ko: '로그 저장소 {host}의 계정 {user}에 권한 {privilege} 없음: {grant}',
  },
  'log-store-forgets': {
    en: 'log store does not keep what it acknowledges: {table} on {host} is written with neither fsync_after_insert = 1 nor insert_quorum',
    ko: '로그 저장소가 확인한 레코드를 보존하지 않습니다: {host}의 {table} 테이블에 fsync_after_insert = 1도 insert_quorum도 없습니다',
  },
  'log-store-foreign': {
    en: 'log store holds records of another installation: database {database} on {host}; use another database',
    ko: '로그 저장소에 다른 설치의 레코드가 있습니다: {host}의 데이터베이스 {database}; 다른 데이터베이스를 쓰십시오',
  },
  'log-store-lost-shard': {
    en: 'log store has lost a shard: {shard} holds records of this installation',
    ko: '로그 저장소에서 샤드가 사라졌습니다: {shard}에 이 설치의 레코드가 있습니다',
  },
  'log-store-no-cluster': {
    en: 'log store has no cluster {cluster}: {host} does not list it in system.clusters',
    ko: '로그 저장소 {host}의 system.clusters에 클러스터가 없습니다: {cluster}',
  },
  'log-store-no-database': {
    en: 'log store has no database {database} on {host}: create database {database}',
    ko: '로그 저장소 {host}에 데이터베이스가 없습니다: create database {database}',
  },
  'log-store-refuses-user': {
    en: 'log store refuses the account of --logs on {host}: check user and password',
    ko: '로그 저장소 {host}에서 --logs의 계정을 거부했습니다: 사용자와 비밀번호를 확인하십시오',
  },
  'log-store-replicated': {
    en: 'log store has several replicas of shard {shard} in cluster {cluster}, which is not supported: name a cluster with one server for each shard',
    ko: '로그 저장소의 클러스터 {cluster}에서 샤드 {shard}의 복제본이 여럿이며 지원하지 않습니다: 샤드마다 서버가 하나인 클러스터를 지정하십시오',
  },
  'log-store-stricter': {
    en: 'log store has lower limits on {host}, which was added, than on its other servers: raise its constraints, or start again',
    ko: '추가된 로그 저장소 서버 {host}의 한도가 다른 서버보다 낮습니다: 제약을 올리거나 다시 시작하십시오',
  },
  'log-store-twice': {
    en: 'log store lists one server as two shards: {host} is among them under another name',
    ko: '로그 저장소가 한 서버를 두 샤드로 나열합니다: {host}의 다른 이름이 이미 있습니다',
  },
  'log-store-too-old': {
    en: 'log store is too old: {host} has {version}, 25.8 or later is needed',
    ko: '로그 저장소가 너무 오래되었습니다: {host}의 버전은 {version}이며 25.8 이상이 필요합니다',
  },
  'log-store-unbounded': {
    en: 'log store lets {user} raise its own limits on {host}: add constraints',
    ko: '로그 저장소 {host}에서 계정 {user} 스스로 한도를 올릴 수 있습니다: 제약을 추가하십시오',
  },
  'master-key-ignored': {
    en: 'VIGIL_MASTER_KEY is read at the first start only and is no key of the account master: vigil key reset-master sets a new one',
    ko: 'VIGIL_MASTER_KEY는 첫 시작에서만 읽으며, 이 값은 계정 master의 키가 아닙니다: vigil key reset-master로 새 키를 정하십시오',
  },
  'master-secret-foreign': {
    en: 'master secret is not that of this installation: {fingerprint}; {file} is missing or another one: name the right keys folder with --keys, or put the file back from its copy',
    ko: '마스터 시크릿이 이 설치의 것이 아닙니다: {fingerprint}; 파일이 없거나 다른 파일입니다: {file}: --keys로 올바른 키 폴더를 지정하거나 사본에서 파일을 되돌려 놓으십시오',
  },
  'node-name-in-use': { en: 'node name is in use: {name}', ko: '이미 쓰이고 있는 노드 이름입니다: {name}' },
} as const satisfies Messages;
