// The demo of `vigil serve --demo`: creates it, shows its progress, and prints its welcome.

import type { App } from '#app/app.ts';
import { DEFAULT_URL } from '#cli/kit/client.ts';
import type { Invocation } from '#cli/kit/command.ts';
import type { MessageCode } from '#cli/messages/index.ts';
import { type Demo, findDemo } from '#demo/demo.ts';
import type { Step } from '#demo/make.ts';
import type { Keys } from '#demo/objects/people.ts';
import type { Config } from '#settings/index.ts';
import { printLink } from './console-link.ts';

const CLEAR_LINE = '\r\x1b[K';

const STEPS: Readonly<Record<Step, MessageCode>> = {
  objects: 'demo-making-objects',
  logs: 'demo-making-logs',
  rules: 'demo-making-rules',
};

export interface ServedDemo {
  /** False when a signal stopped the creation. */
  begin(app: App, masterKey: string, signal: AbortSignal): Promise<boolean>;
  /** Prints the welcome; call once the demo has begun. */
  show(app: App): Promise<void>;
  end(): Promise<void>;
}

/** Call before the service starts. Throws a UsageError where a demo cannot be created. */
export async function serveDemo(config: Config, invocation: Invocation): Promise<ServedDemo> {
  const demo: Demo = await findDemo(config);
  const { translator, print, note } = invocation;
  let keys: Keys | undefined;
  return {
    async begin(app, masterKey, signal) {
      const progress = progressOf(invocation);
      const failed = (reason: string) => note(`vigil: ${translator.text('demo-fed-no-more', { reason })}`);
      try {
        keys = await demo.begin(app, { masterKey, signal, onProgress: progress.onProgress, failed });
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        throw error;
      } finally {
        progress.clear();
      }
    },
    async show(app) {
      print(keys ? welcomeText(app.url, keys, invocation) : `${translator.text('demo-goes-on')}\n`);
      await printLink(app, invocation);
    },
    end: () => demo.end(),
  };
}

function welcomeText(url: string, { kim, lee }: Keys, { translator: { text } }: Invocation): string {
  return [
    text('demo-made'),
    '',
    text('demo-accounts'),
    '',
    `  kim  ADMIN   ${kim}`,
    `  lee  MEMBER  ${lee}`,
    '',
    text('demo-try'),
    '',
    `  export VIGIL_KEY=${kim}${url === DEFAULT_URL ? '' : ` VIGIL_URL=${url}`}`,
    `  curl -H "Authorization: Bearer $VIGIL_KEY" "${url}/api/core/events?limit=3"`,
    `  npx vigil query 'table firewall | search action == "deny" | stats dc(dst_port) as ports by src_ip | sort -ports | limit 5'`,
    `  npx vigil rule restore 'SSH 무차별 대입' 1 --dry-run`,
    '',
  ].join('\n');
}

/** One line that is redrawn on a terminal, otherwise a line per step. */
function progressOf({ streams: { stderr }, translator: { text }, note }: Invocation) {
  let shown = '';
  function onProgress(step: Step, percent: number): void {
    const line = text('demo-making', { step: text(STEPS[step]) });
    if (stderr.isTTY === true) stderr.write(`${CLEAR_LINE}${line}${percent > 0 ? ` ${percent} %` : ''}`);
    else if (line !== shown) note(line);
    shown = line;
  }
  return { onProgress, clear: () => void (stderr.isTTY === true && stderr.write(CLEAR_LINE)) };
}
