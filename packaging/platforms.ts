// The platforms that archives are made for, and the packages that they have in place of those of the machine that makes them.

export interface Platform {
  readonly name: string;
  /** As Debian calls it. */
  readonly architecture: string;
  readonly packages: readonly string[];
  /** The one of `packages` with the Node that runs the service. */
  readonly node: string;
}

const platform = (cpu: string, architecture: string): Platform => ({
  name: `linux-${cpu}`,
  architecture,
  packages: ['@duckdb/node-api', '@duckdb/node-bindings', `@duckdb/node-bindings-linux-${cpu}`],
  node: `node-linux-${cpu}`,
});

export const PLATFORMS: readonly Platform[] = [platform('x64', 'amd64'), platform('arm64', 'arm64')];

export const ownPlatform = (): Platform => {
  const own = PLATFORMS.find(({ name }) => name === `${process.platform}-${process.arch}`);
  if (!own) throw new Error(`no archive is made for ${process.platform}-${process.arch}`);
  return own;
};
