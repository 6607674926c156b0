import { commands, env, ProgressLocation } from 'vscode';
import { countOf } from '../../../core/text/count.ts';
import { countCalls } from '../../../trace/graph/count-calls.ts';
import { readJaegerLink, readTraceId, type JaegerPlace } from '../../../trace/import/jaeger-link.ts';
import { LostPayloads } from '../../../trace/export/lost-payloads.ts';
import type { TraceTree } from '../../../trace/fold/tree.ts';
import { isRecord } from '../../../core/guard.ts';
import { runCommand, showError, showInformation, showWarning, withProgress } from '../messages.ts';
import type { Services } from '../services.ts';
import { readCollector } from '../telemetry/collector-setting.ts';
import type { OpenedTrace, SendStart } from '../telemetry/telemetry-service.ts';
import { warnOfLost } from '../trace/warn-of-lost.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../trust.ts';
import { readCall } from './targets/arguments.ts';
import type { Command } from './command.ts';
import { askText, pickItems } from '../sinks/quick-input.ts';

/**
 * Starts the telemetry receiver and shows how to configure agents for it. An argument `{ port }` replaces the
 * OTLP port. Returns the result.
 */
export const startTelemetryReceiver: Command = async ({ telemetry }, [argument]) => {
  if (!telemetry || !maySend()) return refuse(telemetry);
  const port = isRecord(argument) && typeof argument['port'] === 'number' ? argument['port'] : undefined;
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
        [`Use port ${freePort}`, () => runCommand('parley.startTelemetryReceiver', { port: freePort })],
      ]),
    );
  return started;
};

export const stopTelemetryReceiver: Command = async ({ telemetry }) => {
  if (!telemetry?.receiver) {
    showInformation('No telemetry receiver runs.', new Map());
    return;
  }
  const { spans } = telemetry.receiver;
  await telemetry.stopReceiver();
  showInformation(`The telemetry receiver has ended; ${countOf(spans, 'span')} came.`, new Map());
};

/** Sends the trace of a row, or traces that the user picks, to the collector in the settings. Returns the result. */
export const sendToCollector: Command = async ({ telemetry, source }, [target]) => {
  if (!telemetry || !maySend()) return refuse(telemetry);
  if (!readCollector()) return askForCollector();
  const call = readCall(target);
  const found = call === undefined ? undefined : source.treeOf(call);
  const trees = call === undefined ? await pickTraces(source.trees()) : found ? [found] : [];
  if (!trees) return undefined;
  if (trees.length === 0) {
    showWarning('There is no trace to send.', new Map());
    return undefined;
  }
  const title = `Sending ${countOf(trees.length, 'trace')} to the collector`;
  const lost = new LostPayloads(source);
  const report = await withStop(title, signal => telemetry.send({ trees, payload: lost.beginning }, signal));
  reportSent(report);
  warnOfLost(lost);
  return report;
};

/** Starts sending calls to the collector in the settings, each when it ends. Returns the result. */
export const startSendingTraces: Command = async ({ telemetry, traces, source }) => {
  if (!telemetry || !maySend()) return refuse(telemetry);
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
    new Map<string, () => unknown>([['Stop sending', () => runCommand('parley.stopSendingTraces')]]),
  );
  return started;
};

/** Stops sending calls, and reports those that could not be sent. */
export const stopSendingTraces: Command = async ({ telemetry }) => {
  const ended = await telemetry?.stopSending();
  if (!ended) {
    showInformation('Nothing is being sent to a collector.', new Map());
    return undefined;
  }
  const { sent, waiting, lost, problem } = ended;
  const unsent = waiting + lost;
  if (unsent === 0) showInformation(`${countOf(sent, 'call')} sent to the collector.`, new Map());
  else
    showError(
      `${sent} of ${countOf(sent + unsent, 'call')} sent to the collector. The others can be sent again from Traces. ${problem ?? ''}`.trim(),
    );
  return ended;
};

/**
 * Opens a trace from Jaeger, by a link to its page or by its id. An argument `{ url, trace }` skips the
 * question. Returns the result.
 */
export const openJaegerTrace: Command = async (services, [argument]) => {
  const { telemetry, source, timeline } = services;
  if (!telemetry || !maySend()) return refuse(telemetry);
  const place = readPlace(argument) ?? (await askPlace(telemetry.lastJaeger));
  if (!place) return undefined;
  const { url, trace } = place;
  const opened = await withStop('Opening a trace from Jaeger', (signal): Promise<OpenedTrace> =>
    telemetry.openTrace(url, trace, signal),
  );
  if (!opened.ok) {
    showError(`${opened.message}.`);
    return opened;
  }
  for (const note of opened.notes) services.log.info(`${url}: ${note}`);
  timeline.show(source.treeOf(opened.call)?.roots[0]?.call.call ?? opened.call);
  return opened;
};

function readPlace(argument: unknown): JaegerPlace | undefined {
  if (!isRecord(argument)) return undefined;
  const { url, trace } = argument;
  return typeof url === 'string' && typeof trace === 'string'
    ? { url, trace: readTraceId(trace) ?? '' }
    : undefined;
}

async function askPlace(last: string): Promise<JaegerPlace | undefined> {
  const read = (text: string): JaegerPlace | undefined => {
    const trace = readTraceId(text);
    return readJaegerLink(text) ?? (trace === undefined ? undefined : { url: last, trace });
  };
  const typed = await askText({
    title: 'Open Trace from Jaeger',
    prompt: `The link of the trace's page, or its id for ${last}`,
    placeHolder: `${last}/trace/5b8aa5a2d2c872e8321cf37308d69df2`,
    ignoreFocusOut: true,
    validateInput: text =>
      text.trim() === '' || read(text)
        ? undefined
        : 'This is neither a link such as http://localhost:16686/trace/ID nor an id of up to 32 hexadecimal digits',
  });
  return read(typed ?? '');
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
  if (rejected === 0 && unsent === 0) {
    showInformation([`${countOf(sent, 'span')} sent to the collector.`, ...problems].join(' '), new Map());
    return;
  }
  const counts = [
    `${sent} of ${countOf(sent + rejected + unsent, 'span')} sent to the collector`,
    ...(rejected === 0 ? [] : [`${rejected} rejected`]),
    ...(unsent === 0 ? [] : [`${unsent} not delivered and still here; send again later`]),
  ];
  showError(`${counts.join(', ')}. ${problems.join(' ')}`);
}

function askForCollector(): undefined {
  showWarning(
    'No collector is set. Name one in parley.trace.collector: its address, such as http://localhost:4318, and the headers that sign in there.',
    new Map([['Open setting', () => openSetting()]]),
  );
  return undefined;
}

function refuse(telemetry: Services['telemetry']): undefined {
  showWarning(telemetry ? UNTRUSTED : IN_BROWSER, new Map());
  return undefined;
}

/** Shows a cancellable progress notification while work runs. */
async function withStop<Result>(
  title: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  return withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (_, token) => {
    token.onCancellationRequested(() => stop.abort());
    return work(stop.signal);
  });
}

function openSetting(): Thenable<unknown> {
  return commands.executeCommand('workbench.action.openSettings', 'parley.trace.collector');
}
