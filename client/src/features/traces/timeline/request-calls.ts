import {
  CodeLens,
  EventEmitter,
  Range,
  languages,
  workspace,
  type CodeLensProvider,
  type Disposable,
  type TextDocument,
  type TextDocumentChangeEvent,
} from 'vscode';
import { LANGUAGES } from '../../../../../core/catalog/languages.ts';
import { countOf } from '../../../../../core/text/count.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import type { CommandName } from '../../manifests.ts';
import { DisposableStore } from '../../../base/dispose.ts';
import { Throttle } from '../../../base/throttle.ts';
import type { SourceChange, TraceSource } from '../../../trace/trace-source.ts';

const SHOW_CALLS: CommandName = 'parley.showCalls';

/**
 * Tracks which calls were sent from which line of a file, and shows a lens with their number. Lines move with
 * edits, except for edits while the document is closed.
 */
export class RequestCalls implements CodeLensProvider, Disposable {
  readonly #source: TraceSource;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  readonly #redraw = this.#store.add(new Throttle(() => this.#changed.fire()));
  /** The line of each call, by the URI of its file. */
  readonly #files = new Map<string, Map<string, number>>();

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(source: TraceSource) {
    this.#source = source;
    const selector = LANGUAGES.map(({ id }) => ({ language: id }));
    this.#store.add(source.onDidChange(change => this.#take(change)));
    this.#store.add(workspace.onDidChangeTextDocument(event => this.#follow(event)));
    this.#store.add(languages.registerCodeLensProvider(selector, this));
  }

  /** The calls that were sent from a line, the newest first. */
  list(uri: string, line: number): readonly CallNode[] {
    const lines = this.#files.get(uri) ?? new Map<string, number>();
    const calls = [...lines]
      .filter(([, known]) => known === line)
      .flatMap(([call]) => this.#source.find(call) ?? []);
    return calls.sort((one, other) => other.call.at - one.call.at);
  }

  provideCodeLenses({ uri, lineCount }: TextDocument): CodeLens[] {
    const counts = new Map<number, number>();
    for (const line of this.#files.get(uri.toString())?.values() ?? [])
      if (line < lineCount) counts.set(line, (counts.get(line) ?? 0) + 1);
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

  dispose(): void {
    this.#store.dispose();
  }

  #take({ changed, dropped }: SourceChange): void {
    let isNew = false;
    for (const { call } of changed) {
      if (!call.source) continue;
      const lines = this.#files.get(call.source.uri) ?? new Map<string, number>();
      if (lines.has(call.call)) continue;
      this.#files.set(call.source.uri, lines.set(call.call, call.source.line));
      isNew = true;
    }
    for (const call of dropped)
      for (const lines of this.#files.values()) if (lines.delete(call)) isNew = true;
    if (isNew) this.#redraw.request();
  }

  #follow({ document, contentChanges }: TextDocumentChangeEvent): void {
    const lines = this.#files.get(document.uri.toString());
    if (!lines) return;
    for (const { range, text } of contentChanges) {
      const { start, end } = range;
      const moved = text.split('\n').length - 1 - (end.line - start.line);
      for (const [call, line] of lines) {
        // Text inserted at the start of a line moves that line, too.
        const isBelow = line > end.line || (line === end.line && end.character === 0 && line >= start.line);
        if (isBelow) lines.set(call, line + moved);
        else if (line > start.line) lines.set(call, start.line);
      }
    }
  }
}
