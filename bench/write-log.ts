// node bench/write-log.ts FILE [RECORDS]: the ragged log as a file, for trials beside the benches.

import { writeApplicationLog } from './support/application-log.ts';

const [file, records = '1000000'] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node bench/write-log.ts FILE [RECORDS]');
const bytes = writeApplicationLog(file, Number(records), () => undefined);
console.log(`${records} records, ${bytes} bytes`);
