import { commands, env, type QuickPickItem } from 'vscode';
import { countOf } from '../../../../core/text/count.ts';
import { countCalls } from '../../../../trace/graph/count-calls.ts';
import { LostPayloads } from '../../../../trace/export/lost-payloads.ts';
import type { TraceTree } from '../../../../trace/fold/tree.ts';
import { redactUrl } from '../../../../core/secrets/redact.ts';
import { runCommand, showError, showInformation, showWarning } from '../../window/messages.ts';
import { withStop } from '../../window/progress.ts';
import { readCollector } from '../../services/collector-setting.ts';
import { describeCounts } from './sending-status.ts';
import type { SendStart, TelemetryService } from '../../services/telemetry-service.ts';
import { warnOfLost } from '../../trace/warn-of-lost.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../../base/trust.ts';
import { readCall, readPort } from '../../targets/arguments.ts';
import { pickItem, pickItems } from '../../window/sinks/quick-input.ts';
import type { Command, Shared } from '../feature.ts';

/** What an action of the command needs. */
interface Work extends Pick<Shared, 'traces' | 'source'> {
  readonly telemetry: TelemetryService;
}

type Action = (work: Work, argument: unknown) => unknown;

/**
 * Shows what is received from agents and sent to a collector, and starts or stops it. Arguments name an action of `ACTIONS` and
 * what it takes. Returns its result.
 */
export const telemetry: Command = async (services, [name, argument]) => {
  const { telemetry: service, traces, source } = services;
  if (!service || !maySend()) return showWarning(service ? UNTRUSTED : IN_BROWSER);
  const action = isActionName(name) ? name : await pickAction(service);
  return action && ACTIONS[action]({ telemetry: service, traces, source }, argument);
};

/** Sends the trace of a row to the collector in the settings. Returns the result. */
export const sendToCollector: Command = (services, [target]) =>
  telemetry(services, ['send', readCall(target)]);

async function pickAction({ receiver, sending }: TelemetryService): Promise<ActionName | undefined> {
  const setting = readCollector();
  const collector = setting ? redactUrl(setting.url) : 'no collector is set';
  const items: readonly (QuickPickItem & { readonly action: ActionName })[] = [
    receiver
      ? {
          label: 'Stop Receiver',
          description: `listens at ${receiver.address}, ${countOf(receiver.spans, 'span')}`,
          action: 'stopReceiver',
        }
      : {
          label: 'Start Receiver',
          description: 'takes the spans of instrumented agents',
          action: 'startReceiver',
        },
    sending
      ? {
          label: 'Stop Sending',
          description: `${sending.address}, ${describeCounts(sending)}`,
          action: 'stopSending',
        }
      : { label: 'Send Calls as They End', description: collector, action: 'startSending' },
    { label: 'Send Traces…', description: collector, action: 'send' },
    {
      label: 'Set Collector',
      description: 'its address and headers, in the settings',
      action: 'openSetting',
    },
  ];
  return (await pickItem(items, { title: 'Telemetry' }))?.action;
}

/** Starts the receiver, at the port `{ port }` or that of OTLP, and shows how to configure agents for it. */
const startReceiver: Action = async ({ telemetry }, argument) => {
  const port = readPort(argument);
  const started = await telemetry.startReceiver(port);
  if (started.ok) {
    const { address } = started.receiver;
    const variables = `OTEL_EXPORTER_OTLP_ENDPOINT=${address} OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`;
    showInformation(
      `The telemetry receiver listens at ${address}. Start instrumented agents with OTEL_EXPORTER_OTLP_ENDPOINT set to it; their spans show in Traces.`,
      new Map<string, () => unknown>([
        ['Copy variables', () => env.clipboard.writeText(variables)],
        ['Stop receiver', () => telemetry.stopReceiver()],
      ]),
    );
    return started;
  }
  const { freePort } = started;
  if (freePort === undefined) showError(`${started.message}.`);
  else
    showWarning(
      `${started.message}. Another window or a collector may have it: a receiver belongs to the window that started it.`,
      new Map([
        [`Use port ${freePort}`, () => runCommand('parley.telemetry', 'startReceiver', { port: freePort })],
      ]),
    );
  return started;
};

const stopReceiver: Action = async ({ telemetry }) => {
  if (!telemetry.receiver) return showInformation('No telemetry receiver runs.');
  const { spans } = telemetry.receiver;
  await telemetry.stopReceiver();
  showInformation(`The telemetry receiver has stopped. It received ${countOf(spans, 'span')}.`);
};

/** Sends the trace of a call, or traces that the user picks, to the collector in the settings. Returns the result. */
const send: Action = async ({ telemetry, source }, target) => {
  if (!readCollector()) return askForCollector();
  const call = readCall(target);
  const found = call === undefined ? undefined : source.treeOf(call);
  const trees = call === undefined ? await pickTraces(source.trees()) : found ? [found] : [];
  if (!trees) return undefined;
  if (trees.length === 0) return showWarning('There is no trace to send.');
  const title = `Sending ${countOf(trees.length, 'trace')} to the collector`;
  const lost = new LostPayloads(source);
  const report = await withStop(title, signal => telemetry.send({ trees, payload: lost.beginning }, signal));
  reportSent(report);
  warnOfLost(lost);
  return report;
};

/** Starts sending calls to the collector in the settings, each when it ends. Returns the result. */
const startSending: Action = async ({ telemetry, traces, source }) => {
  if (!readCollector()) return askForCollector();
  const started = await telemetry.startSending({
    onDidEnd: listener =>
      traces.onDidChange(({ added }) => {
        if (added?.event.type === 'end') listener(added.event.call);
      }),
    find: call => traces.findCall(call),
    payload: call => source.payload(call),
  });
  if (!started.ok) {
    if (started.message !== undefined) showError(`${started.message}.`);
    return started;
  }
  showInformation(
    `Calls of this window go to the collector at ${started.sending.address} from now on, as they end.`,
    new Map<string, () => unknown>([['Stop sending', () => runCommand('parley.telemetry', 'stopSending')]]),
  );
  return started;
};

/** Stops sending calls, and reports those that could not be sent. */
const stopSending: Action = async ({ telemetry }) => {
  const ended = await telemetry.stopSending();
  if (!ended) return showInformation('Nothing is being sent to a collector.');
  const { sent, waiting, lost, problem } = ended;
  const unsent = waiting + lost;
  if (unsent === 0) showInformation(`${countOf(sent, 'call')} sent to the collector.`);
  else
    showError(
      `${sent} of ${countOf(sent + unsent, 'call')} sent to the collector. The others can be sent again from Traces. ${problem ?? ''}`.trim(),
    );
  return ended;
};

const openSetting: Action = () =>
  commands.executeCommand('workbench.action.openSettings', 'parley.trace.collector');

const ACTIONS = { startReceiver, stopReceiver, send, startSending, stopSending, openSetting };
type ActionName = keyof typeof ACTIONS;

function isActionName(name: unknown): name is ActionName {
  return typeof name === 'string' && Object.hasOwn(ACTIONS, name);
}

async function pickTraces(trees: readonly TraceTree[]): Promise<readonly TraceTree[] | undefined> {
  if (trees.length < 2) return trees;
  const items = trees.map((tree, index) => ({
    label: tree.roots[0]?.call.title ?? tree.trace,
    description: `${tree.roots[0]?.call.agent ?? ''} · ${countOf(countCalls(tree.roots), 'call')}`,
    tree,
    picked: index === 0,
  }));
  const picked = await pickItems(items, { title: 'Send which traces?' });
  return picked && picked.length > 0 ? picked.map(({ tree }) => tree) : undefined;
}

function reportSent(report: SendStart): void {
  if (!report.ok) {
    if (report.message !== undefined) showError(`${report.message}.`);
    return;
  }
  const { sent, rejected, unsent, problems } = report;
  if (rejected === 0 && unsent === 0)
    return showInformation([`${countOf(sent, 'span')} sent to the collector.`, ...problems].join(' '));
  const counts = [
    `${sent} of ${countOf(sent + rejected + unsent, 'span')} sent to the collector`,
    ...(rejected === 0 ? [] : [`${rejected} rejected`]),
    ...(unsent === 0 ? [] : [`${unsent} not delivered and still here; send again later`]),
  ];
  showError(`${counts.join(', ')}. ${problems.join(' ')}`);
}

function askForCollector(): undefined {
  return showWarning(
    'No collector is set. Name one in parley.trace.collector: its address, such as http://localhost:4318, and the headers that sign in there.',
    new Map([['Open setting', () => runCommand('parley.telemetry', 'openSetting')]]),
  );
}
