// The records of a run one by one.

import { isReserved, type RecordRun } from './engine.ts';

/** The text of a record: its line without the fields of the service. */
export function recordText(run: Omit<RecordRun, 'records'>, at: number): string {
  const { bytes, fields, firstMembers, memberFields, memberBegins, memberEnds } = run;
  const end = firstMembers[at + 1] ?? 0;
  const isOwn = (member: number) => member < end && !isReserved(fields[memberFields[member] ?? 0]?.name ?? '');
  const pieces: string[] = [];
  for (let member = firstMembers[at] ?? 0; member < end; member += 1) {
    if (!isOwn(member)) continue;
    const from = member;
    while (isOwn(member + 1)) member += 1;
    pieces.push(bytes.toString('utf8', memberBegins[from], memberEnds[member]));
  }
  return `{${pieces.join(',')}}`;
}
