import { ALL_PROTOCOLS } from '../../../../../protocols/all.ts';
import { env, ProgressLocation, type Uri } from 'vscode';
import { TRACE_FORMATS, findTraceFormat } from '../../../../../trace/export/trace-formats.ts';
import type { CountTexts } from '../../../../../trace/graph/count-tokens.ts';
import { exportTraceText } from '../../../../../trace/export/export.ts';
import { LostPayloads } from '../../../../../trace/export/lost-payloads.ts';
import { describeError } from '../../../base/log.ts';
import { showWarning, withProgress } from '../../../window/messages.ts';
import { askToSave, saveFile } from '../../../window/save-file.ts';
import type { TokenCounter } from '../view/token-totals.ts';
import type { CallPlace } from '../../../trace/trace-source.ts';
import { SliceTurns } from '../../../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../../../base/slices.ts';
import { warnOfLost } from '../../../trace/warn-of-lost.ts';
import { trimOf } from '../../../../../core/text/trim.ts';
import { pickItem } from '../../../window/sinks/quick-input.ts';

const GONE = 'This trace is no longer stored.';

/** The options of an export. Missing ones are asked for. */
export interface TraceExportChoice {
  /** The name of a format. */
  readonly format?: string | undefined;
  readonly target?: Uri | undefined;
  /** True if OpenTelemetry spans include requests and replies. */
  readonly includesContent?: boolean;
}

type FormatRow = (typeof TRACE_FORMATS)[number];

/** A format and its options. */
interface Wanted {
  readonly row: FormatRow;
  readonly includesContent: boolean;
}

/**
 * Saves the trace of a call to a file and returns it. Returns undefined if it was not saved, after a warning
 * unless the user cancelled.
 */
export async function exportTrace(
  place: CallPlace,
  tokens: TokenCounter,
  choice: TraceExportChoice,
): Promise<Uri | undefined> {
  const wanted = findWanted(choice) ?? (await pickFormat('Export trace as', TRACE_FORMATS));
  if (!wanted) return undefined;
  const target = choice.target ?? (await askForTarget(place, wanted.row));
  if (!target) return undefined;
  const text = await writeTrace(place, tokens, wanted);
  if (text === undefined) return undefined;
  const name = target.path.slice(target.path.lastIndexOf('/') + 1);
  return saveFile(target, new TextEncoder().encode(text), `Exported the trace to ${name}.`);
}

/** The formats for copying, which are suitable for pasting as text. */
const COPIED: readonly FormatRow['name'][] = ['markdown', 'mermaid', 'aio', 'otlp'];

/** Copies the trace of a call in a given or picked format. Returns the text. */
export async function copyTrace(
  place: CallPlace,
  tokens: TokenCounter,
  choice: Omit<TraceExportChoice, 'target'>,
): Promise<string | undefined> {
  const rows = TRACE_FORMATS.filter(row => COPIED.includes(row.name));
  const wanted = findWanted(choice) ?? (await pickFormat('Copy trace as', rows));
  const text = wanted && (await writeTrace(place, tokens, wanted));
  if (text !== undefined) await env.clipboard.writeText(text);
  return text;
}

/** Returns undefined if the trace is no longer stored or its tokens cannot be counted, after a warning. */
async function writeTrace(
  { source, call }: CallPlace,
  tokens: TokenCounter,
  { row, includesContent }: Wanted,
): Promise<string | undefined> {
  const tree = source.treeOf(call);
  if (!tree) return showWarning(GONE);
  const lost = new LostPayloads(source);
  const from = {
    trees: [tree],
    payload: row.name === 'agenttrace' ? lost.payload : lost.beginning,
    protocols: ALL_PROTOCOLS,
    includesContent,
  };
  const encoding = tokens.encoding();
  const countTexts: CountTexts = texts => tokens.count(texts, encoding);
  const turns = new SliceTurns(EXTENSION_HOST);
  const options = { location: ProgressLocation.Window, title: 'Counting tokens of the trace' };
  try {
    if (row.name !== 'totals') return await exportTraceText(row.name, from, turns);
    return await withProgress(options, () => exportTraceText('totals', { ...from, countTexts }, turns));
  } catch (error) {
    // The text exceeds the maximum length of a string.
    const why = error instanceof RangeError ? TOO_LONG : describeError(error);
    const what =
      row.name === 'totals' ? 'The tokens of the trace cannot be counted' : 'The trace cannot be exported';
    return showWarning(`${what}: ${why}`);
  } finally {
    warnOfLost(lost);
  }
}

const TOO_LONG = 'it is too long for one text here; parley trace export writes traces of any length';

function findWanted({ format = '', includesContent = false }: TraceExportChoice): Wanted | undefined {
  const row = findTraceFormat(format);
  return row && { row, includesContent };
}

async function pickFormat(title: string, rows: readonly FormatRow[]): Promise<Wanted | undefined> {
  const items = rows.flatMap(row => {
    const item = { label: row.title, description: row.summary, wanted: { row, includesContent: false } };
    // The conventions require content to be an explicit opt-in, so it is a separate choice.
    return row.name === 'otlp'
      ? [item, { ...item, ...WITH_CONTENT, wanted: { row, includesContent: true } }]
      : [item];
  });
  return (await pickItem(items, { title, matchOnDescription: true }))?.wanted;
}

const WITH_CONTENT = {
  label: 'OpenTelemetry (OTLP JSON) with content',
  description: 'with the content of requests and replies',
} as const;

function askForTarget({ source, call }: CallPlace, { title, ending }: FormatRow): Thenable<Uri | undefined> {
  const file = `${nameFile(source.treeOf(call)?.roots[0]?.call.title ?? '')}${ending}`;
  return askToSave(file, { title: 'Export trace', filters: { [title]: [ending.slice(1)] } });
}

/** A title as a file name. */
function nameFile(title: string): string {
  const name = trimOf(title.replace(/[^\p{L}\p{N}_.-]+/gu, '-'), '-.').slice(0, 60);
  return name === '' ? 'trace' : name;
}
