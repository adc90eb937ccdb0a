// A service log whose errors and warnings a test can look at.

export interface LoggedError {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export class CapturedLog {
  readonly errors: LoggedError[] = [];
  readonly warnings: LoggedError[] = [];

  info(): void {}

  warn(fields: object, message: string): void {
    this.warnings.push({ fields: { ...fields }, message });
  }

  error(fields: object, message: string): void {
    this.errors.push({ fields: { ...fields }, message });
  }

  flush(): void {}
}
