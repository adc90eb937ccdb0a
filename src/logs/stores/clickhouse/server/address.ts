// Where a server of the log store is, and with which account it is spoken to.

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** A secret, like the password. */
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** The name of a server in errors: neither user nor password. */
export const serverName = ({ host, port }: ServerAddress): string => `${host}:${port}`;
