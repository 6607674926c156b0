import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { env } from 'vscode';
import { runCommand, showError, showInformation, showWarning } from '../../window/messages.ts';
import type { RecordingInfo, RecordingStart, RecordingWish } from '../../services/recording-service.ts';
import type { AgentInfo } from '../../services/agent-service.ts';
import { currentSettings } from '../../base/settings.ts';
import { isRecord } from '../../../../core/guard.ts';
import { findAgentTarget } from '../../targets/agent-target.ts';
import { readPort } from '../../targets/arguments.ts';
import { findRunning } from '../../targets/running-endpoint.ts';
import { askText, pickItem } from '../../window/sinks/quick-input.ts';
import type { Command, Shared } from '../feature.ts';

/** A way to record, as listed in the picker. */
interface Way {
  readonly label: string;
  readonly description: string;
  readonly options: RecordingWish['options'];
  /** True if the user is asked for origins of web pages. */
  readonly asksOrigins?: true;
}

/** The picked options of a recording. */
type Picked = Pick<RecordingWish, 'options' | 'origins'>;

function listWays(): readonly Way[] {
  const limit = currentSettings()['trace.depthLimit'];
  return [
    {
      label: 'Record',
      description: 'Traffic is forwarded unchanged',
      options: [],
    },
    {
      label: 'Record and block recursion',
      description: `Refuse calls nested deeper than ${limit}`,
      options: ['guard'],
    },
    {
      label: 'Record callers that follow the agent card',
      description: "The card's addresses become those of the recording",
      options: ['rewriteCard'],
    },
    {
      label: 'Record web pages…',
      description: 'Pages of the origins that you name may call; without this no page may',
      options: [],
      asksOrigins: true,
    },
  ];
}

/**
 * Starts a recording in front of an agent, from a row or picked, and shows the address for callers. An
 * argument `{ agent, port, options, origins }` skips the questions. Returns the result.
 */
export const recordAgent: Command = async (services, [argument]) => {
  const target = await findAgentTarget(services, argument, 'Record which agent?');
  const { recordings } = services;
  if (!target || !recordings) return undefined;
  const { agent } = target;
  if (agent.type === 'stdio') {
    const started = await recordings.start({ agent: agent.name, commandLine: agent.address, options: [] });
    reportTap(agent, started);
    return started;
  }
  const picked = readPicked(argument) ?? (await pick(agent));
  if (!picked) return undefined;
  const port = readPort(argument);
  const started = await recordings.start({ agent: agent.name, port, ...picked });
  report(services, agent.name, started, picked);
  return started;
};

/** Stops a recording: that of a row, the only one, or one that the user picks. */
export const stopRecording: Command = async (services, [argument]) => {
  const recording = await findRecording(services, argument, 'Stop recording which agent?');
  if (!recording) return;
  await services.recordings?.stop(recording.agent);
  if (recording.port !== undefined) return;
  const { agent, to } = recording;
  showInformation(
    `The recording of ${agent} has ended here. Restore its own command where it is started: until then its traffic passes through the recorder, but is not recorded.`,
    new Map([['Copy its command', () => env.clipboard.writeText(to)]]),
  );
};

/** Copies the address of a recorded agent, and returns it. */
export const copyRecordingAddress: Command = async (services, [argument]) => {
  const recording = await findRecording(services, argument, 'Copy the address of which recording?');
  if (recording) await env.clipboard.writeText(recording.address);
  return recording?.address;
};

function readPicked(argument: unknown): Picked | undefined {
  if (!isRecord(argument)) return undefined;
  const { options: given, origins } = argument;
  if (!Array.isArray(given)) return undefined;
  const options = listWays()
    .flatMap(way => way.options)
    .filter(option => given.includes(option));
  if (!Array.isArray(origins)) return { options };
  return { options, origins: origins.filter(origin => typeof origin === 'string') };
}

async function pick({ name, protocol }: AgentInfo): Promise<Picked | undefined> {
  const hasCard = ALL_PROTOCOLS.find(protocol)?.requests.isCard !== undefined;
  const ways = listWays().filter(
    ({ options }) => hasCard || !options.some(option => option === 'rewriteCard'),
  );
  const way = await pickItem(ways, { title: `Record ${name}` });
  if (!way?.asksOrigins) return way && { options: way.options };
  const typed = await askText({
    title: `Record ${name}`,
    prompt: 'Origins of the web pages that may call it, separated by spaces',
    placeHolder: 'http://localhost:3000',
  });
  const origins = typed?.split(/[\s,]+/).filter(origin => origin !== '') ?? [];
  return origins.length === 0 ? undefined : { options: way.options, origins };
}

function report(services: Shared, agent: string, started: RecordingStart, picked: Picked): void {
  if (started.ok) {
    const { address, to } = started.recording;
    return showInformation(
      `Recording ${agent}. Let its callers use ${address} instead of ${to}; the recorded calls are shown in Traces.`,
      new Map<string, () => unknown>([
        ['Copy address', () => env.clipboard.writeText(address)],
        ['Stop recording', () => services.recordings?.stop(agent)],
      ]),
    );
  }
  const { message, freePort } = started;
  if (message === undefined) return;
  if (freePort === undefined) return showError(message);
  const again = (): unknown => runCommand('parley.recordAgent', { agent, port: freePort, ...picked });
  showWarning(
    `${message}. Another window may be recording ${agent} already: a recording belongs to the window that started it.`,
    new Map([[`Use port ${freePort}`, again]]),
  );
}

/**
 * A process is recorded where it is started, so the user must replace its command by the command line for
 * recording.
 */
function reportTap({ name }: AgentInfo, started: RecordingStart): void {
  if (!started.ok) {
    if (started.message !== undefined) showError(`${started.message}.`);
    return;
  }
  const { address } = started.recording;
  showInformation(
    `Recording ${name}. It is a stdio process: start it with the command line for recording instead of its own. The recorded calls are shown in Traces.`,
    new Map<string, () => unknown>([
      ['Copy command line', () => env.clipboard.writeText(address)],
      ['Stop recording', () => runCommand('parley.stopRecording', name)],
    ]),
  );
}

function findRecording(
  { recordings }: Shared,
  argument: unknown,
  title: string,
): Promise<RecordingInfo | undefined> {
  const none = 'Nothing is being recorded.';
  return findRunning(recordings?.list() ?? [], argument, { title, none, nameOf: ({ agent }) => agent });
}
