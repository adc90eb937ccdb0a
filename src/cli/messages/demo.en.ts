// What is said about a demo, in English.

export const demoEn = {
  'demo-database-in-use':
    'a demo is made in an empty database, and this one is in use: give it another, or leave --demo out',
  'demo-folder-in-use':
    'a demo is made in an empty data folder, and {data} holds something else: name another with --data, or leave --demo out',
  'demo-unfinished':
    'the demo in {data} was broken off while it was made: remove the folder, or name another with --data',
  'demo-accounts': 'The keys of its accounts, shown only this once:',
  'demo-fed-no-more': 'the demo brings no more logs to one of its loggers: {reason}',
  'demo-goes-on': 'The demo goes on, with more logs arriving. The keys of its accounts were shown when it was made.',
  'demo-made':
    'This is a demo: a day of a shop, its firewall and its servers, with attacks that the rules have found. More arrives while it runs.',
  'demo-making': 'Making the demo: {step}',
  'demo-making-logs': 'a day of logs',
  'demo-making-objects': 'accounts, tables, loggers and what else there is',
  'demo-making-rules': 'rules and schedules, and what they find',
  'demo-try': 'Three things to try, in another terminal:',
} as const;
