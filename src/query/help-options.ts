// Summaries of the options of commands, in both languages: by name, and by command and name where a command means something
// of its own by it.

import type { Locale } from '#contract/values.ts';

export type OptionSummary = Readonly<Record<Locale, string>>;

const text = (en: string, ko: string): OptionSummary => ({ en, ko });

/** By `option`, or by `command.option`. */
export const OPTION_SUMMARIES: Readonly<Record<string, OptionSummary>> = {
  append: text('Adds to a file that exists.', '있는 파일에 덧붙입니다.'),
  batchsize: text('Number of rows of one transaction.', '한 트랜잭션의 행 수입니다.'),
  body: text('Body of the request.', '요청 본문입니다.'),
  bypass: text('Condition of rows that are left as they are.', '그대로 둘 행의 조건입니다.'),
  bom: text('Begins the file with a byte order mark.', '파일을 바이트 순서 표시로 시작합니다.'),
  cont: text('Fills buckets without rows.', '행이 없는 구간도 채웁니다.'),
  core: text('Number of threads; it does not change the result.', '스레드 수이며 결과는 바뀌지 않습니다.'),
  count: text('How many of the rows are kept.', '남길 행의 수입니다.'),
  'repeat.count': text('How many times each row is passed on.', '각 행을 내보낼 횟수입니다.'),
  countfield: text('Name of the column of counts.', '개수 컬럼의 이름입니다.'),
  cs: text('Encoding of the text.', '텍스트의 인코딩입니다.'),
  cutoff: text('A text of more characters counts as unreadable.', '이보다 긴 텍스트는 읽을 수 없는 것으로 봅니다.'),
  delimiter: text('Text between two values.', '값 사이의 텍스트입니다.'),
  duration: text('Time range back from now.', '지금부터 거슬러 올라가는 시간 범위입니다.'),
  encoding: text('Encoding of the file.', '파일의 인코딩입니다.'),
  field: text('Field that is read.', '읽을 필드입니다.'),
  fields: text('Fields that are compared with the group.', '그룹과 비교할 필드입니다.'),
  fill: text('Value of cells without rows.', '행이 없는 칸의 값입니다.'),
  flatten: text('Names members of inner objects by their paths.', '안쪽 객체의 멤버를 경로로 이름 짓습니다.'),
  format: text('Format of the content.', '내용의 형식입니다.'),
  from: text('Beginning of the time range, included.', '시간 범위의 시작이며 포함됩니다.'),
  guid: text('GUID of the group.', '그룹의 GUID입니다.'),
  gz: text('Compresses the file with gzip.', '파일을 gzip으로 압축합니다.'),
  header: text('Headers of the request, as a map.', '요청 헤더의 맵입니다.'),
  invert: text('Keeps the rows that do not match.', '맞지 않는 행을 남깁니다.'),
  'dboutput.key': text('Columns that tell which row is replaced.', '바꿀 행을 정하는 컬럼입니다.'),
  key: text('Field that is the key.', '키가 되는 필드입니다.'),
  kvdelim: text('Text between a key and its value.', '키와 값 사이의 텍스트입니다.'),
  label: text('Value of fields that are left out of a list of keys.', '키 목록에서 빠진 필드의 값입니다.'),
  lenient: text('Reads text that is nearly JSON.', 'JSON과 비슷한 텍스트도 읽습니다.'),
  limit: text('Largest number of rows.', '행의 최대 수입니다.'),
  'timechart.limit': text('Largest number of columns of values.', '값 컬럼의 최대 수입니다.'),
  'outputlookup.append': text('Keeps the rows that the lookup has.', '룩업의 기존 행을 그대로 둡니다.'),
  'sort.limit': text(
    'Number of rows that are kept, with `by` of each group.',
    '남길 행의 수, `by`가 있으면 그룹마다의 수입니다.',
  ),
  maxcol: text('Largest number of columns.', '컬럼의 최대 수입니다.'),
  method: text('Method of the request.', '요청 메서드입니다.'),
  name: text('Name of the lookup.', '룩업의 이름입니다.'),
  offset: text('Number of rows that are dropped first.', '먼저 버릴 행의 수입니다.'),
  'bin.offset': text('Moves the start of every bucket later.', '모든 구간의 시작을 늦춥니다.'),
  'timechart.offset': text('Moves the start of every bucket later.', '모든 구간의 시작을 늦춥니다.'),
  op: text('What is done with the lookup.', '룩업에 할 일입니다.'),
  order: text('Newest rows first, or oldest.', '최신 행부터 또는 오래된 행부터입니다.'),
  output: text('Name of the new field.', '새 필드의 이름입니다.'),
  overlay: text('Adds the fields to the row instead of replacing it.', '행을 바꾸지 않고 필드를 더합니다.'),
  overwrite: text('Replaces a file that exists.', '있는 파일을 바꿉니다.'),
  pairdelim: text('Text between two pairs.', '쌍 사이의 텍스트입니다.'),
  parallel: text('Accepted and without effect.', '받지만 효과는 없습니다.'),
  partition: text('Writes several files, named by the values of fields.', '필드 값으로 이름 붙인 여러 파일에 씁니다.'),
  path: text('Path behind the base url of the profile.', '프로파일의 기본 url 뒤에 붙는 경로입니다.'),
  percentfield: text('Name of the column of shares.', '비율 컬럼의 이름입니다.'),
  port: text('Field with the port.', '포트 필드입니다.'),
  profile: text('Connection profile.', '접속 프로파일입니다.'),
  protocol: text('Field with the protocol.', '프로토콜 필드입니다.'),
  quote: text('Values may stand in double quotes.', '값을 큰따옴표로 둘러쌀 수 있습니다.'),
  rowretry: text('Sends the rows of a refused batch again, one by one.', '거부된 배치의 행을 하나씩 다시 보냅니다.'),
  span: text('Width of a bucket.', '구간의 폭입니다.'),
  stoponfail: text('Ends the query at the first refused batch.', '첫 거부에서 쿼리를 끝냅니다.'),
  strict: text('Leaves rows with another number of values unchanged.', '값의 수가 다른 행은 바꾸지 않습니다.'),
  tab: text('Separates values by tabs.', '값을 탭으로 나눕니다.'),
  table: text('Table that is written.', '쓸 테이블입니다.'),
  tag: text(
    'Adds the result of the test as a field and keeps every row.',
    '검사 결과를 필드로 더하고 모든 행을 남깁니다.',
  ),
  timeout: text('Time until the request is given up.', '요청을 포기할 때까지의 시간입니다.'),
  to: text('End of the time range, excluded.', '시간 범위의 끝이며 포함되지 않습니다.'),
  tt: text('Lets the words of a term stand anywhere in the row.', '검색어의 단어가 행 어디에 있어도 됩니다.'),
  'dboutput.type': text('How rows are written.', '행을 쓰는 방법입니다.'),
  type: text('Which rows of both sides are kept.', '양쪽에서 남길 행의 종류입니다.'),
  url: text('Address of the request.', '요청 주소입니다.'),
  useother: text('Gathers further values in a column of their own.', '나머지 값을 한 컬럼에 모읍니다.'),
  value: text('Value in place of null.', 'null 대신 쓸 값입니다.'),
  verbose: text('Adds further columns.', '컬럼을 더합니다.'),
  window: text('Reads rows as they arrive, for this long.', '이 기간 동안 도착하는 행을 읽습니다.'),
  'streamstats.window': text('Number of the last rows that count.', '계산에 쓸 마지막 행의 수입니다.'),
};

/** Undefined for an option without a text of its own. */
export const optionSummary = (command: string, option: string): OptionSummary | undefined =>
  OPTION_SUMMARIES[`${command}.${option}`] ?? OPTION_SUMMARIES[option];
