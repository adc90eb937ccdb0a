// Lines of syslog as the fields of a record.

import { syslogMessage } from '#query/values/formats/syslog.ts';
import { shortTimes } from '#query/values/formats/syslog-times.ts';
import { parser } from './parser.ts';

export const syslog = parser({
  code: 'syslog',
  name: 'Syslog',
  description:
    'Each line is a message after RFC 5424 or RFC 3164, also as files have them, without priority. The fields are `facility`, `severity`, `facility_name`, `severity_name`, `host`, `app`, `pid`, `msgid` and `msg`; structured data becomes fields `id.name`. A time without a zone is in that of the service, one without a year in the newest that puts it at most a day after its arrival. A parameter given several times is a list, an element without parameters an empty text; fields of the header win over both. A message with a priority and without a time is all `msg`; one that begins `<n>1 ` is RFC 5424 or cannot be read. Years, fractions of a second and a colon behind the time are understood.',
  configs: {},
  example: {
    line: '<165>1 2026-11-15T03:00:00.003Z db01 backup 812 ID47 [job@32473 name="nightly"] 3 files left',
    fields: {
      facility: 20,
      severity: 5,
      facility_name: 'local4',
      severity_name: 'notice',
      host: 'db01',
      app: 'backup',
      pid: '812',
      msgid: 'ID47',
      msg: '3 files left',
      'job@32473.name': 'nightly',
    },
    time: '2026-11-15T03:00:00.003Z',
  },
  compile: async (_, zone) => {
    const shortTime = shortTimes(zone);
    return (line, at) => syslogMessage(line, at, shortTime);
  },
});
