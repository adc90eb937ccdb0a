// Queries with one mistake each, of commands that run locally, write files or name nodes. «» mark the place.

export const errorsOfLocalCommands: Readonly<Record<number, readonly string[]>> = {
  10500: ['remote «n9» [ table nope ]', 'table «n»:t', 'table t, «n»:t', 'fulltext "x" from «n»:t'],
  10800: ['textfile «/etc/hosts»', 'csvfile limit=1 «"/etc/a b.csv"»', 'json "{}" | join a [ jsonfile «/a» ]'],
  20700: ['«wget»', '«wget» method=head'],
  20701: ['wget url=«"http://10.0.0.1/"»', 'table t | wget url=«https://other.example/»'],
  23500: ['table t | parallel core=«0» [ search a ]', 'table t | parallel core=«x» [ search a ]'],
  30100: [
    'table t | outputcsv «../x» a',
    'table t | outputcsv «/etc/x» a',
    'table t | outputtxt «a/../../x» a',
    'table t | outputjson «linked/x»',
    'table t | outputjson «"a//b"»',
    'table t | outputjson «.»',
    'table t | outputjson «.unfinished/x»',
    'table t | outputjson partition=t «"{logtime:yyyy/../..}/x"»',
  ],
  30101: ['table t | outputcsv «taken» a', 'table t | outputjson partition=t «taken{now:yyyy}»'],
  30102: ['table t | outputcsv x.csv«»', 'table t | outputtxt gz=t x.txt«»'],
  30104: [
    'textfile encoding=«x» a',
    'csvfile cs=«x» a',
    'wget url=https://api.example.com/ encoding=«x»',
    'table t | outputcsv encoding=«klingon» x a',
    'table t | eval x = binary("a", «"latin-9"»)',
  ],
  30301: ['table t | outputlookup «fresh»', 'table t | outputlookup append=t «fresh» a'],
  30302: ['table t | outputlookup users «key=dept»', 'table t | outputlookup «key=a» users user'],
  30303: [
    'table t | outputlookup «locked»',
    'table t | outputlookup «geoip» key=a',
    'table t | outputlookup «"a b"» key=a',
  ],
};
