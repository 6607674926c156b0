import {
  CodeLens,
  EventEmitter,
  Range,
  languages,
  workspace,
  type CodeLensProvider,
  type TextDocument,
  type TextDocumentChangeEvent,
  type TextDocumentContentChangeEvent,
} from 'vscode';
import { LANGUAGES } from '../../../../../core/catalog/languages.ts';
import { countOf } from '../../../../../core/text/count.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import type { CommandName } from '../../manifests.ts';
import { Owner } from '../../../base/dispose.ts';
import { Throttle } from '../../../base/throttle.ts';
import type { SourceChange, TraceSource } from '../../../trace/trace-source.ts';
import { findDocument } from '../../../window/find-document.ts';

const SHOW_CALLS: CommandName = 'parley.showCalls';

/** The line that a call was sent from, and its text, by which it is found again in a document that was closed. */
interface Anchor {
  line: number;
  /** Undefined until the document is open. */
  content: string | undefined;
}

/**
 * Tracks which calls were sent from which line of a file, and shows a lens with their number. Lines move with
 * edits; a call whose line is deleted, or has another text when the document is opened again, has no lens.
 */
export class RequestCalls extends Owner implements CodeLensProvider {
  readonly #source: TraceSource;
  readonly #changed = this.own(new EventEmitter<void>());
  readonly #redraw = this.own(new Throttle(() => this.#changed.fire()));
  /** The anchor of each call, by the URI of its file. */
  readonly #files = new Map<string, Map<string, Anchor>>();

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(source: TraceSource) {
    super();
    this.#source = source;
    const selector = LANGUAGES.map(({ id }) => ({ language: id }));
    this.own(source.onDidChange(change => this.#take(change)));
    this.own(workspace.onDidChangeTextDocument(event => this.#follow(event)));
    this.own(languages.registerCodeLensProvider(selector, this));
  }

  /** The calls that were sent from a line, the newest first. */
  list(uri: string, line: number): readonly CallNode[] {
    const calls = [...(this.#files.get(uri) ?? [])]
      .filter(([, anchor]) => anchor.line === line)
      .flatMap(([call]) => this.#source.find(call) ?? []);
    return calls.sort((one, other) => other.call.at - one.call.at);
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    const { uri } = document;
    const anchors = this.#files.get(uri.toString()) ?? new Map<string, Anchor>();
    const counts = new Map<number, number>();
    for (const [call, anchor] of anchors) {
      const { line } = anchor;
      const text = textOf(document, line);
      anchor.content ??= text;
      if (text === undefined || text !== anchor.content) anchors.delete(call);
      else counts.set(line, (counts.get(line) ?? 0) + 1);
    }
    return [...counts].map(
      ([line, count]) =>
        new CodeLens(new Range(line, 0, line, 0), {
          title: `$(graph-line)\u00a0${countOf(count, 'call')}`,
          tooltip: 'Show the calls of this request and their outcomes',
          command: SHOW_CALLS,
          arguments: [uri.toString(), line],
        }),
    );
  }

  #take({ changed, dropped }: SourceChange): void {
    let isNew = false;
    for (const { call } of changed) {
      if (!call.source) continue;
      const { uri, line } = call.source;
      const anchors = this.#files.get(uri) ?? new Map<string, Anchor>();
      if (anchors.has(call.call)) continue;
      const document = findDocument(uri);
      this.#files.set(uri, anchors.set(call.call, { line, content: document && textOf(document, line) }));
      isNew = true;
    }
    for (const call of dropped)
      for (const anchors of this.#files.values()) if (anchors.delete(call)) isNew = true;
    if (isNew) this.#redraw.request();
  }

  #follow({ document, contentChanges }: TextDocumentChangeEvent): void {
    const anchors = this.#files.get(document.uri.toString());
    if (!anchors || contentChanges.length === 0) return;
    for (const change of contentChanges)
      for (const [call, anchor] of anchors) if (!follow(anchor, change)) anchors.delete(call);
    for (const [call, anchor] of anchors) {
      anchor.content = textOf(document, anchor.line);
      if ((anchor.content ?? '').trim() === '') anchors.delete(call);
    }
  }
}

function textOf(document: TextDocument, line: number): string | undefined {
  return line < document.lineCount ? document.lineAt(line).text : undefined;
}

/** Moves an anchor with a change of its document; false if its line was deleted. */
function follow(anchor: Anchor, { range, text }: TextDocumentContentChangeEvent): boolean {
  const { start, end } = range;
  const { line } = anchor;
  const lines = text.split(/\r\n?|\n/);
  const moved = lines.length - 1 - (end.line - start.line);
  // Text inserted at the start of a line moves that line, too.
  if (line > end.line || (line === end.line && end.character === 0 && line >= start.line)) {
    anchor.line = line + moved;
    return true;
  }
  if (line < start.line || (line === start.line && start.character > 0)) return true;
  // The start of the line was replaced: its text may be in the new text, as when a whole document is formatted.
  const at = anchor.content === undefined ? -1 : lines.indexOf(anchor.content);
  anchor.line = start.line + Math.max(0, at);
  return at >= 0 || line === end.line;
}
