// Values that are given under a name of their own choosing and must not be shown again: their names tell.

export const MASK = '***';

/** Keys that a query is given as parameters. */
export const isSecretName = (name: string): boolean => /^secret/i.test(name);
