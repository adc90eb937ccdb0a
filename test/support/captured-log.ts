// A service log whose errors a test can look at.

export interface LoggedError {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export class CapturedLog {
  readonly errors: LoggedError[] = [];

  info(): void {}

  warn(): void {}

  error(fields: object, message: string): void {
    this.errors.push({ fields: { ...fields }, message });
  }

  flush(): void {}
}
