// What a start, and the commands on the folders of a stopped service, say when something does not belong together, in English.

export const startEn = {
  'audit-key-foreign': 'audit key is not that of this installation: {fingerprint}',
  'audit-nothing-lost': 'neither the audit key nor the witness was lost: nothing was renewed',
  'audit-renewed': 'The audit trail goes on with the key {fingerprint}. Entry {id} says so.',
  'data-folder-in-use': 'the data folder {folder} is in use by another Vigil process',
  'database-newer': 'the database is at migration {newest}, this version knows {known}: run the newer version',
  'keys-folder-open': 'keys folder is open to others: chmod -R {who}= {folder}',
  'logs-kept-elsewhere':
    'another service keeps the logs of this database: {host}, data folder {path}, last seen {time}; start it there, or use another database',
  'logs-lost':
    'another process keeps the logs of this database now: this one ends, and nothing of it was written since',
  'logs-not-here':
    'the database lists records that the data folder {folder} does not hold: start the service with the folder that does',
  'master-key-ignored':
    'VIGIL_MASTER_KEY is read at the first start only and is no key of the account master: vigil key reset-master sets a new one',
  'master-secret-foreign': 'master secret is not that of this installation: {fingerprint}',
} as const;
