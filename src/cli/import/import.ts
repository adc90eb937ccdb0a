// vigil import

import { type Client, clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Flags, Invocation } from '#cli/kit/command.ts';
import { errorText, FAILED, ServiceError } from '#cli/kit/failures/failure.ts';
import { charsetFlag, charsetOf } from '#cli/kit/files/charset-flag.ts';
import { openSource, requireFiles, type Source } from '#cli/kit/files/source.ts';
import { sizeText } from '#cli/kit/output/numbers.ts';
import { type Field, jsonFlag, printJson, printList, type RecordOutput } from '#cli/kit/output/records.ts';
import { printable } from '#cli/kit/output/text-table.ts';
import { type Unfinished, unfinishedUpload } from './state.ts';
import { TransferBar } from './transfer-bar.ts';
import { type Outcome, upload } from './upload.ts';

/** For people; --json prints all of them. */
const SHOWN_REJECTIONS = 20;

const fields: Flags = {
  table: { hint: 'TABLE', about: { en: 'table that the logs go into', ko: '로그를 넣을 테이블' }, isRequired: true },
  format: {
    hint: 'ndjson|csv|text',
    about: {
      en: 'format of the files; by default from the ends of their names: .csv, .txt or .log (text), anything else ndjson',
      ko: '파일의 형식, 기본값은 이름 끝으로 정함: .csv, .txt나 .log(text), 그 밖에는 ndjson',
    },
  },
};

interface Imported extends Outcome {
  readonly file: string;
  readonly unfinished: Unfinished;
}

export const importFiles: Command = {
  name: 'import',
  takes: 'FILE...',
  about: {
    en: 'import files of logs into a table; `-` is standard input, .gz is decompressed; run again to resume an interrupted import',
    ko: '로그 파일을 테이블로 가져옵니다. `-`는 표준 입력이고 .gz는 풀어서 읽으며, 끊긴 것은 다시 실행하면 이어집니다',
  },
  flags: { ...fields, ...charsetFlag, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const { words } = invocation;
    requireFiles(words);
    charsetOf(invocation);
    const client = connect(invocation);
    const done: Imported[] = [];
    try {
      await importAll(invocation, client, done);
    } finally {
      await report({ invocation, client }, done);
    }
    const isAll = done.length === words.length;
    // Until here, the same command run again must find which of its files are already in the table.
    if (isAll) for (const { unfinished } of done) unfinished.forget();
    return isAll && done.every(({ rejected_count }) => rejected_count === 0) ? 0 : FAILED;
  },
};

async function importAll(invocation: Invocation, client: Client, done: Imported[]): Promise<void> {
  const { words, streams, translator, note } = invocation;
  for (const word of words) {
    await using source = await openSource(word, streams);
    try {
      done.push({ file: word, ...(await importOne(invocation, client, source)) });
    } catch (error) {
      // A refused file does not stop the next.
      if (!(error instanceof ServiceError)) throw error;
      note(printable(translator.text('import-failed', { file: word, reason: errorText(error, translator) })));
    }
  }
}

async function importOne(invocation: Invocation, client: Client, source: Source): Promise<Omit<Imported, 'file'>> {
  const { environment, translator, note } = invocation;
  const { table = '', format = formatOf(source.name) } = invocation.flags;
  using bar = new TransferBar(invocation, source);
  const charset = charsetOf(invocation);
  const metadata = { table, format, ...(charset === undefined ? {} : { charset }) };
  const facts =
    source.identity === undefined
      ? undefined
      : [client.url, client.keyDigest, ...Object.values(metadata), source.identity];
  const unfinished = unfinishedUpload(environment, facts);
  const outcome = await upload({
    client,
    source,
    metadata,
    unfinished,
    watcher: {
      resumed(offset) {
        bar.clear();
        const values = { file: source.name, sent: sizeText(offset), size: sizeText(source.sizeBytes) };
        note(printable(translator.text('import-resumed', values)));
      },
      begunAnew() {
        bar.restart();
        note(printable(translator.text('import-begun-anew', { file: source.name, table })));
      },
      sent: (bytes) => bar.sent(bytes),
      importing: () => bar.importing(),
    },
  });
  return { ...outcome, unfinished };
}

function formatOf(name: string): string {
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase().replace(/\.gz$/, '')) ?? [];
  if (ending === 'csv') return 'csv';
  return ending === 'txt' || ending === 'log' ? 'text' : 'ndjson';
}

async function report(output: RecordOutput, done: readonly Imported[]): Promise<void> {
  const { invocation } = output;
  if (invocation.flags.json) {
    printJson(
      invocation,
      done.map(({ unfinished, ...imported }) => imported),
    );
    return;
  }
  const { translator, note } = invocation;
  for (const { file, rejected, rejected_count } of done) {
    const shown = rejected.slice(0, SHOWN_REJECTIONS);
    for (const { line, reason } of shown) {
      note(printable(translator.text('import-rejected', { file, line: String(line), reason })));
    }
    const more = rejected_count - shown.length;
    if (more > 0) note(printable(translator.text('import-rejected-more', { file, count: String(more) })));
  }
  if (done.length > 0) await printList(output, done, FIELDS);
}

const FIELDS: readonly Field<Imported>[] = [
  { title: 'field-file', text: ({ file }) => file },
  { title: 'field-accepted', isNumeric: true, text: ({ accepted }) => String(accepted) },
  {
    title: 'field-rejected',
    isNumeric: true,
    text: ({ rejected_count }) => String(rejected_count),
    isBad: ({ rejected_count }) => rejected_count > 0,
  },
];
