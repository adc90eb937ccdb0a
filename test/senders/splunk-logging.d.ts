declare module 'splunk-logging' {
  export class Logger {
    constructor(config: { token: string; url: string; maxRetries?: number });
    send(payload: { message: unknown }, done: (error: Error | null) => void): void;
  }
}
