// Names of the families of the page Administration.

export const familyNamesEn = {
  users: { many: 'Users', one: 'User', about: 'Accounts with their roles, groups and keys.' },
  groups: { many: 'User groups', one: 'User group', about: 'Users of one company that share grants.' },
  companies: { many: 'Companies', one: 'Company', about: 'Companies divide users, groups and audit entries.' },
  keys: { many: 'Keys', one: 'Key', about: 'A key signs programs and people in. It is shown once.' },
  'address-groups': {
    many: 'Address groups',
    one: 'Address group',
    about: 'Addresses and networks that queries and rules match.',
  },
  addresses: { many: 'Addresses', one: 'Address', about: 'Addresses and networks of the group.' },
  'alarm-groups': {
    many: 'Alarm groups',
    one: 'Alarm group',
    about: 'Users and webhooks that rules notify.',
  },
  'ticket-repos': {
    many: 'Ticket repositories',
    one: 'Ticket repository',
    about: 'Its grants decide which users see its tickets and work on them.',
  },
  'rule-categories': {
    many: 'Rule categories',
    one: 'Rule category',
    about: 'Kinds of findings that rules and events are sorted by.',
  },
  'crypto-profiles': {
    many: 'Crypto profiles',
    one: 'Crypto profile',
    about: 'Keys that encrypt and authenticate tables. No operation shows them.',
  },
  'connection-profiles': {
    many: 'Connection profiles',
    one: 'Connection profile',
    about: 'Databases and hosts that queries may use.',
  },
  lookups: { many: 'Lookups', one: 'Lookup', about: 'Rows that queries join by a key.' },
  parsers: { many: 'Parsers', one: 'Parser', about: 'Built-in and stored readers of lines.' },
  queries: { many: 'Queries', one: 'Query', about: 'Queries that run now, and those that have ended lately.' },
  nodes: {
    many: 'Nodes',
    one: 'Node',
    about: 'Processes of this installation, those that are gone included.',
  },
  settings: {
    many: 'Settings',
    one: 'Setting',
    about: 'Settings of the service: by flag, environment or file. Secrets are masked.',
  },
  datasets: { many: 'Datasets', one: 'Dataset', about: 'Stored queries for rules and people.' },
  procedures: {
    many: 'Procedures',
    one: 'Procedure',
    about: 'Stored queries with parameters. They run with the rights of their owner.',
  },
  'table-groups': { many: 'Table groups', one: 'Table group', about: 'Folders for tables.' },
  'log-schemas': { many: 'Log schemas', one: 'Log schema', about: 'Fields of normalised logs of one kind.' },
  'logger-models': {
    many: 'Logger models',
    one: 'Logger model',
    about: 'How loggers of one kind read logs and assign a schema.',
  },
  'logger-groups': { many: 'Logger groups', one: 'Logger group', about: 'Folders for loggers.' },
  'audit-categories': {
    many: 'Audit categories',
    one: 'Audit category',
    about: 'Subjects of the explanations that users are asked for.',
  },
};

export const familyNamesKo: typeof familyNamesEn = {
  users: { many: '사용자', one: '사용자', about: '계정과 역할, 그룹, 키를 관리합니다.' },
  groups: { many: '사용자 그룹', one: '사용자 그룹', about: '권한을 함께 쓰는 같은 회사의 사용자입니다.' },
  companies: { many: '회사', one: '회사', about: '사용자, 그룹, 감사 로그를 회사별로 나눕니다.' },
  keys: { many: '키', one: '키', about: '프로그램과 사람이 로그인하는 키입니다. 한 번만 표시합니다.' },
  'address-groups': { many: '주소 그룹', one: '주소 그룹', about: '쿼리와 룰이 비교하는 주소와 네트워크입니다.' },
  addresses: { many: '주소', one: '주소', about: '그룹의 주소와 네트워크입니다.' },
  'alarm-groups': { many: '알람 그룹', one: '알람 그룹', about: '룰이 알리는 사용자와 웹훅입니다.' },
  'ticket-repos': {
    many: '티켓 저장소',
    one: '티켓 저장소',
    about: '저장소의 권한이 티켓을 보고 처리할 사용자를 정합니다.',
  },
  'rule-categories': { many: '룰 분류', one: '룰 분류', about: '룰과 이벤트를 나누는 탐지의 종류입니다.' },
  'crypto-profiles': {
    many: '암호화 프로파일',
    one: '암호화 프로파일',
    about: '테이블을 암호화하고 인증하는 키입니다. 키는 표시하지 않습니다.',
  },
  'connection-profiles': {
    many: '접속 프로파일',
    one: '접속 프로파일',
    about: '쿼리가 사용할 수 있는 데이터베이스와 호스트입니다.',
  },
  lookups: { many: '룩업', one: '룩업', about: '쿼리가 키로 조인하는 행입니다.' },
  parsers: { many: '파서', one: '파서', about: '내장 파서와 저장된 파서입니다.' },
  queries: { many: '쿼리', one: '쿼리', about: '실행 중인 쿼리와 최근에 끝난 쿼리입니다.' },
  nodes: { many: '노드', one: '노드', about: '이 설치의 프로세스입니다. 사라진 노드도 표시합니다.' },
  settings: {
    many: '설정',
    one: '설정',
    about: '플래그, 환경 변수, 파일로 정한 서비스 설정입니다. 비밀 값은 가립니다.',
  },
  datasets: { many: '데이터셋', one: '데이터셋', about: '룰과 사용자가 쓰는 저장된 쿼리입니다.' },
  procedures: {
    many: '프로시저',
    one: '프로시저',
    about: '매개변수가 있는 저장된 쿼리입니다. 소유자의 권한으로 실행합니다.',
  },
  'table-groups': { many: '테이블 그룹', one: '테이블 그룹', about: '테이블을 모으는 폴더입니다.' },
  'log-schemas': { many: '로그 스키마', one: '로그 스키마', about: '한 종류의 정규화된 로그가 갖는 필드입니다.' },
  'logger-models': {
    many: '수집 모델',
    one: '수집 모델',
    about: '같은 종류의 수집기가 로그를 읽고 스키마를 정하는 방법입니다.',
  },
  'logger-groups': { many: '수집기 그룹', one: '수집기 그룹', about: '수집기를 모으는 폴더입니다.' },
  'audit-categories': { many: '감사 분류', one: '감사 분류', about: '사용자에게 요청하는 소명의 주제입니다.' },
};
