// Ends with 0 if the bill of materials on standard input is as the official schema of its version demands, else prints why not.

import { text } from 'node:stream/consumers';
import { Validation } from '@cyclonedx/cyclonedx-library';

const bill = await text(process.stdin);
const found = await new Validation.JsonStrictValidator(JSON.parse(bill).specVersion).validate(bill);
if (found !== null) {
  console.log(JSON.stringify(found, null, 2));
  process.exitCode = 1;
}
