import { showInformation } from '../window/messages.ts';
import type { StatusWords } from '../window/status-bar.ts';
import { pickItem } from '../window/sinks/quick-input.ts';
import { readAgent } from './arguments.ts';

/** A running recording or bridge. */
interface RunningEndpoint {
  readonly agent: string;
  readonly address: string;
}

/** A running endpoint: that of the agent in an argument, the only one, or one that the user picks. */
export async function findRunning<Info extends RunningEndpoint>(
  running: readonly Info[],
  argument: unknown,
  words: {
    readonly title: string;
    /** Shown if there is none. */
    readonly none: string;
    readonly nameOf: (info: Info) => string;
  },
): Promise<Info | undefined> {
  const name = readAgent(argument);
  const meant = name === undefined ? running : running.filter(({ agent }) => agent === name);
  const [only, another] = meant;
  if (!only) return showInformation(words.none);
  if (!another) return only;
  const items = meant.map(info => ({ label: words.nameOf(info), description: info.address, info }));
  return (await pickItem(items, { title: words.title }))?.info;
}

/** The status bar text for running endpoints, which begins with `what`; undefined if there are none. */
export function describeRunning<Info extends RunningEndpoint>(
  running: readonly Info[],
  what: string,
  icon: string,
  nameOf: (info: Info) => string,
): StatusWords | undefined {
  const [first] = running;
  if (!first) return undefined;
  const text = `${what} ${running.length === 1 ? first.agent : `${running.length} agents`}`;
  const lines = running.map(info => `${nameOf(info)}: ${info.address}`);
  return { text, icon, tooltip: [...lines, 'Click to stop'].join('\n'), label: `${text}; stop it` };
}
