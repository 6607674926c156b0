import {
  ProgressLocation,
  commands,
  window,
  type CustomDocument,
  type CustomReadonlyEditorProvider,
  type ThemeIcon,
  type Uri,
  type WebviewPanel,
} from 'vscode';
import { countOf } from '../../../../../core/text/count.ts';
import type { TraceTree } from '../../../../../trace/fold/tree.ts';
import { currentSettings } from '../../../base/settings.ts';
import { defer } from '../../../base/deferred.ts';
import { Owner } from '../../../base/dispose.ts';
import { showInformation, showWarning, withProgress } from '../../../window/messages.ts';
import { fillTimeline, type OpenTimeline } from './timeline-panel.ts';
import { STATUS_ICONS } from '../view/call-item.ts';
import { FileSource } from './file-source.ts';
import { describeSummary, summarize } from '../view/row-words.ts';
import type { TokenCounter } from '../view/token-totals.ts';
import type { OpenTraceFile } from '../../../trace/trace-reader.ts';
import type { CallPlace, TraceSource } from '../../../trace/trace-source.ts';
import { WholeFileReader } from './whole-file-reader.ts';
import { pickItem } from '../../../window/sinks/quick-input.ts';

/** The custom editors of agenttrace files and of other files with traces, as named in package.json. */
export const TRACE_FILE_EDITOR = 'parley.trace';
export const OTHER_TRACE_EDITOR = 'parley.otherTrace';

const OWN_FILE = /\.agenttrace\.jsonl$/i;

/** An open trace file, shared by all its editors. */
interface TraceDocument extends CustomDocument {
  readonly source: FileSource;
  /** Resolves when the file was read for the first time, with the error or undefined. */
  readonly loaded: Promise<string | undefined>;
  /** Resolves when a part was read and more is to follow. */
  readonly begun: Promise<void>;
}

interface OpenEditor {
  readonly document: TraceDocument;
  readonly timeline: OpenTimeline;
  readonly panel: WebviewPanel;
}

/** The editors of files with traces: the timeline of a file. They are read-only. */
export class TraceEditors extends Owner implements CustomReadonlyEditorProvider<TraceDocument> {
  readonly #extension: Uri;
  readonly #openFile: OpenTraceFile | undefined;
  readonly #tokens: TokenCounter;
  readonly #open = new Set<OpenEditor>();

  constructor(extension: Uri, openFile: OpenTraceFile | undefined, tokens: TokenCounter) {
    super();
    this.#extension = extension;
    this.#tokens = tokens;
    this.#openFile = openFile;
    for (const editor of [TRACE_FILE_EDITOR, OTHER_TRACE_EDITOR])
      this.own(
        window.registerCustomEditorProvider(editor, this, { supportsMultipleEditorsPerDocument: true }),
      );
  }

  /** The selected call of the active trace editor; undefined if there is none or its file has no calls. */
  get front(): CallPlace | undefined {
    const front = this.#findFront();
    if (!front) return undefined;
    const { source } = front.document;
    const call = [front.timeline.selected(), source.trees()[0]?.roots[0]?.call.call ?? ''].find(id =>
      source.find(id),
    );
    return call === undefined ? undefined : { source, call };
  }

  /** The open files, in the order in which they were opened. */
  get sources(): readonly TraceSource[] {
    return [...new Set([...this.#open].map(({ document }) => document.source))];
  }

  openCustomDocument(uri: Uri): TraceDocument {
    const open = uri.scheme === 'file' && OWN_FILE.test(uri.path) ? this.#openFile : undefined;
    const source = new FileSource(uri, open?.(uri.fsPath) ?? new WholeFileReader(uri));
    const options = { location: ProgressLocation.Window, title: `Reading ${source.title}` };
    const begun = defer<void>();
    const loaded = withProgress(options, progress => {
      let shown = 0;
      return source.load((read, size) => {
        if (read < size) begun.resolve();
        const percent = Math.floor((100 * read) / Math.max(1, size));
        if (percent === shown) return;
        shown = percent;
        progress.report({ message: `${percent} %` });
        for (const { document, timeline } of this.#open)
          if (document.source === source) timeline.panel.post({ type: 'clear', why: source.describe() });
      });
    });
    return {
      uri,
      source,
      loaded: Promise.resolve(loaded),
      begun: begun.promise,
      dispose: () => source.dispose(),
    };
  }

  /** VS Code shows the page when this resolves: with the trace or, for a large file, with the reading progress. */
  async resolveCustomEditor(document: TraceDocument, panel: WebviewPanel): Promise<void> {
    const { source } = document;
    const timeline = fillTimeline(this.#extension, panel, {
      source,
      kind: 'recording',
      tokens: this.#tokens,
      depthLimit: () => currentSettings()['trace.depthLimit'],
      whyEmpty: () => source.describe(),
    });
    const editor: OpenEditor = { document, timeline, panel };
    this.#open.add(editor);
    panel.onDidDispose(() => this.#open.delete(editor));
    const shown = document.loaded.then(error => this.#showLoaded(editor, error));
    await Promise.race([shown, document.begun]);
  }

  /** Asks for another trace of the file in front, and shows it. */
  async pick(): Promise<void> {
    const editor = this.#findFront();
    const trees = editor?.document.source.trees() ?? [];
    if (!editor || trees.length === 0)
      return showInformation('Open a file with traces, and pick one of them here.');
    const rows = trees.map(tree => ({ ...describeTree(tree), tree }));
    const chosen = await pickItem(rows, {
      title: `Traces of ${editor.document.source.title}`,
      placeHolder: 'Pick a trace to show',
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (chosen) showTree(editor, chosen.tree);
  }

  #findFront(): OpenEditor | undefined {
    return [...this.#open].find(({ panel }) => panel.active);
  }

  /** Shows the file after it was read, or the error. */
  #showLoaded(editor: OpenEditor, error: string | undefined): void {
    if (!this.#open.has(editor)) return;
    if (error === undefined) return this.#showFirst(editor);
    const { source, uri } = editor.document;
    editor.timeline.panel.post({ type: 'clear', why: source.describe() });
    const open = (): Thenable<unknown> => commands.executeCommand('vscode.openWith', uri, 'default');
    showWarning(error, new Map([['Open as text', open]]));
  }

  #showFirst(editor: OpenEditor): void {
    const { source } = editor.document;
    const [newest, ...others] = source.trees();
    if (newest) showTree(editor, newest);
    else this.#awaitFirst(editor);
    if (others.length === 0) return;
    const words = `${source.title} holds ${countOf(others.length + 1, 'trace')}; the newest is shown.`;
    showInformation(words, new Map([['Pick another', () => this.pick()]]));
  }

  /** Waits for the first trace of a recording that has no calls yet. */
  #awaitFirst(editor: OpenEditor): void {
    const { source } = editor.document;
    editor.timeline.panel.post({ type: 'clear', why: source.describe() });
    const waiting = source.onDidChange(() => {
      const [first] = source.trees();
      if (!first) return;
      waiting.dispose();
      showTree(editor, first);
    });
    editor.panel.onDidDispose(() => void waiting.dispose());
  }
}

/** Asks for a file with traces, and opens it. */
export async function openTraceFile(): Promise<void> {
  const [uri] =
    (await window.showOpenDialog({
      title: 'Open trace file',
      openLabel: 'Open',
      filters: {
        'Traces (trace file, AIO graph, OTLP JSON, HAR, server-sent events)': [...ENDINGS],
        'All files': ['*'],
      },
    })) ?? [];
  if (uri) await openAsTrace(uri);
}

/** Opens any kind of file with traces on the timeline. */
export async function openAsTrace(uri: Uri): Promise<void> {
  const editor = OWN_FILE.test(uri.path) ? TRACE_FILE_EDITOR : OTHER_TRACE_EDITOR;
  await commands.executeCommand('vscode.openWith', uri, editor);
}

const ENDINGS = ['jsonl', 'json', 'har', 'sse', 'ndjson', 'txt'] as const;

function showTree({ timeline }: OpenEditor, { roots }: TraceTree): void {
  const first = roots[0]?.call.call;
  if (first !== undefined) timeline.show(first);
}

/** The row of a trace in a list. */
export function describeTree(tree: TraceTree): {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly iconPath: ThemeIcon;
} {
  const summary = summarize(tree);
  const first = tree.roots[0]?.call;
  return {
    label: first?.title ?? tree.trace,
    description: describeSummary(summary),
    detail: [first ? new Date(first.at).toLocaleString() : '', tree.trace].filter(Boolean).join(' · '),
    iconPath: STATUS_ICONS[summary.status],
  };
}
