// A mistake in the command line or the settings: a code and its values, translated where it is shown.

export class UsageError extends Error {
  readonly code: string;
  readonly values: Readonly<Record<string, string>>;

  constructor(code: string, values: Readonly<Record<string, string>> = {}, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.values = values;
  }
}
