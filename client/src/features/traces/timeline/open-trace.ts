import { ThemeIcon, window, type QuickPickItem } from 'vscode';
import { isRecord } from '../../../../../core/guard.ts';
import { readJaegerLink, readTraceId, type JaegerPlace } from '../../../../../trace/import/jaeger-link.ts';
import { showError, showWarning } from '../../../window/messages.ts';
import { withStop } from '../../../window/progress.ts';
import type { OpenedTrace } from '../../../services/telemetry-service.ts';
import { describeTree, openAsTrace as openFile, openTraceFile } from './trace-editors.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../../../base/trust.ts';
import { readUri } from '../../../targets/arguments.ts';
import { askText, pickItem } from '../../../window/sinks/quick-input.ts';
import type { Command } from '../../feature.ts';
import type { TracesParts } from '../parts.ts';

interface Row extends QuickPickItem {
  readonly open: () => unknown;
}

/**
 * Opens a trace on the timeline: of a file, of the text in front, from Jaeger, or one that is stored. An argument `{ url, trace }`
 * names one in Jaeger; otherwise the user picks. Returns the result.
 */
export const openTrace: Command<TracesParts> = async (services, [argument]) => {
  const place = readPlace(argument);
  if (place) return openFromJaeger(services, place);
  await services.traces.load();
  const rows = [...listPlaces(services), ...listStored(services)];
  const options = { title: 'Open a trace', matchOnDescription: true, matchOnDetail: true };
  return (await pickItem(rows, options))?.open();
};

/** Opens the file of the argument on the timeline. */
export const openAsTrace: Command<TracesParts> = (services, [target]) => {
  const uri = readUri(target);
  return uri ? openFile(uri) : openTrace(services, []);
};

/** Asks for another trace of the file in front. */
export const pickTrace: Command<TracesParts> = ({ traceEditors }) => traceEditors.pick();

function listPlaces(services: TracesParts): readonly Row[] {
  const document = window.activeTextEditor?.document;
  const { traceEditors } = services;
  return [
    { label: 'File…', iconPath: new ThemeIcon('folder-opened'), open: () => openTraceFile() },
    ...(document && !document.isUntitled
      ? [
          {
            label: 'Text in Front',
            description: document.uri.path.split('/').at(-1) ?? '',
            iconPath: new ThemeIcon('file'),
            open: () => openFile(document.uri),
          },
        ]
      : []),
    ...(traceEditors.front
      ? [
          {
            label: 'Another Trace of the File in Front…',
            iconPath: new ThemeIcon('list-tree'),
            open: () => traceEditors.pick(),
          },
        ]
      : []),
    {
      label: 'Jaeger…',
      description: 'by the link of its page or its id',
      iconPath: new ThemeIcon('cloud-download'),
      open: () => openFromJaeger(services, undefined),
    },
  ];
}

/** The traces of this window and the stored ones of earlier windows. */
function listStored({ source, timeline }: TracesParts): readonly Row[] {
  return source.trees().flatMap(tree => {
    const call = tree.roots[0]?.call.call;
    return call === undefined ? [] : [{ ...describeTree(tree), open: () => timeline.show(call) }];
  });
}

/** Opens a trace from Jaeger; without a place, asks for its link or id. Returns the result. */
async function openFromJaeger(services: TracesParts, named: JaegerPlace | undefined): Promise<unknown> {
  const { telemetry, source, timeline } = services;
  if (!telemetry || !maySend()) return showWarning(telemetry ? UNTRUSTED : IN_BROWSER);
  const place = named ?? (await askPlace(telemetry.lastJaeger));
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
}

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
