// Commands that readers know from elsewhere and that are not offered here (92003): what serves in their place.

import type { TermCode } from '#query/model/messages.ts';

/** A star stands for the rest of a word. */
const WORDS = {
  'instead-confdb': ['confdb'],
  'instead-sentry': ['sentry', 'sentry-*'],
  'instead-logger': ['logger'],
  'instead-stream': ['stream'],
  'instead-logdb': ['logdb'],
  'instead-insert': ['insert'],
  'instead-execpipe': ['execpipe', 'script'],
  'instead-ftp': ['ftp', 'sftp', 'hdfs'],
  'instead-xmlfile': ['xmlfile'],
  'instead-zipfile-entries': ['zipfile-entries'],
  'instead-nslookup': ['nslookup', 'iplookup', 'rss'],
  'instead-copytable': ['copytable', 'mv'],
  'instead-checktable': ['checktable'],
  'instead-purge': ['purge'],
  'instead-alertmsg': ['alertmsg', 'sendmail', 'sendsyslog'],
  'instead-auditmsg': ['auditmsg'],
  'instead-dbcall': ['dbcall'],
  'instead-pcapfile': [
    'pcapfile',
    'pcapdecode',
    'pcapreplay',
    'outputpcap',
    'decodedns',
    'decodedhcp',
    'decodehttp',
    'decodesflow',
  ],
  'instead-streamjoin': ['streamjoin'],
  'instead-mpsearch': ['mpsearch', 'matchfeed', 'matchsig', 'matchbehavior'],
  'instead-flowsearch': ['flowsearch'],
  'instead-evtctx': ['evtctx*'],
  'instead-statistics': ['curvefit', 'forecast', 'stl', 'anomalies', 'lof', 'kmeans', 'rforest', 'tfidf', 'summary'],
  'instead-groovy': ['groovy'],
  'instead-load': ['load', 'result'],
  'instead-event': ['event', 'dataset', 'schema', 'node-*', 'sonar-*', 'sonar'],
} as const satisfies Partial<Record<TermCode, readonly string[]>>;

const exact = new Map<string, TermCode>();
const beginnings: [string, TermCode][] = [];
for (const [term, words] of Object.entries(WORDS) as [TermCode, readonly string[]][]) {
  for (const word of words) {
    if (word.endsWith('*')) beginnings.push([word.slice(0, -1), term]);
    else exact.set(word, term);
  }
}

/** The sentence about a command that is not offered; undefined for one that is unknown. */
export const insteadOf = (name: string): TermCode | undefined =>
  exact.get(name) ?? beginnings.find(([beginning]) => name.startsWith(beginning))?.[1];

/** The sentence about any other word with a hyphen. */
export const INSTEAD_OF_HYPHENATED = 'instead-pcapfile' satisfies TermCode;
