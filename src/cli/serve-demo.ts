// What `vigil serve --demo` adds: a world to look at, and words about it.

import type { App } from '#app.ts';
import type { Config } from '#config.ts';
import { type Demo, findDemo } from '#demo/demo.ts';
import type { Step } from '#demo/make.ts';
import type { Keys } from '#demo/people.ts';
import { DEFAULT_URL } from './client.ts';
import type { Invocation } from './command.ts';
import type { MessageCode } from './messages/en.ts';

const CLEAR_LINE = '\r\x1b[K';

const STEPS: Readonly<Record<Step, MessageCode>> = {
  objects: 'demo-making-objects',
  logs: 'demo-making-logs',
  rules: 'demo-making-rules',
};

export interface ServedDemo {
  /** False where it was told to leave meanwhile. */
  begin(app: App, masterKey: string, signal: AbortSignal): Promise<boolean>;
  /** What there is to see; to be called once it has begun. */
  show(app: App): void;
  end(): Promise<void>;
}

/** Throws a Mistake where a demo cannot be; to be called before the service starts. */
export async function serveDemo(config: Config, invocation: Invocation): Promise<ServedDemo> {
  const demo: Demo = await findDemo(config);
  const { speech, print, note } = invocation;
  let keys: Keys | undefined;
  return {
    async begin(app, masterKey, signal) {
      const progress = progressOf(invocation);
      const failed = (reason: string) => note(`vigil: ${speech.say('demo-fed-no-more', { reason })}`);
      try {
        keys = await demo.begin(app, { masterKey, signal, tell: progress.tell, failed });
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        throw error;
      } finally {
        progress.clear();
      }
    },
    show({ url }) {
      print(keys ? welcomeText(url, keys, invocation) : speech.say('demo-goes-on'));
    },
    end: () => demo.end(),
  };
}

function welcomeText(url: string, { kim, lee }: Keys, { speech: { say } }: Invocation): string {
  return [
    say('demo-made'),
    '',
    say('demo-accounts'),
    '',
    `  kim  ADMIN   ${kim}`,
    `  lee  MEMBER  ${lee}`,
    '',
    say('demo-try'),
    '',
    `  export VIGIL_KEY=${kim}${url === DEFAULT_URL ? '' : ` VIGIL_URL=${url}`}`,
    `  curl -H "Authorization: Bearer $VIGIL_KEY" "${url}/api/core/events?limit=3"`,
    `  npx vigil query 'table firewall | search action == "deny" | stats dc(dst_port) as ports by src_ip | sort -ports | limit 5'`,
    `  npx vigil rule restore 'SSH 무차별 대입' 1 --dry-run`,
    '',
  ].join('\n');
}

/** On a terminal one line that changes, elsewhere a line for each step. */
function progressOf({ streams: { stderr }, speech: { say }, note }: Invocation) {
  let told = '';
  function tell(step: Step, percent: number): void {
    const text = say('demo-making', { step: say(STEPS[step]) });
    if (stderr.isTTY === true) stderr.write(`${CLEAR_LINE}${text}${percent > 0 ? ` ${percent} %` : ''}`);
    else if (text !== told) note(text);
    told = text;
  }
  return { tell, clear: () => void (stderr.isTTY === true && stderr.write(CLEAR_LINE)) };
}
