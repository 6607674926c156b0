import {
  languages,
  Uri,
  ViewColumn,
  window,
  workspace,
  type CancellationToken,
  type LogOutputChannel,
  type Range,
  type TabGroup,
  type TextDocument,
  type TextDocumentContentProvider,
} from 'vscode';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import type { ConvertResult } from '../../../../wire/conversion-requests.ts';
import { Changing } from '../../base/changing.ts';
import { describeError } from '../../base/log.ts';
import { CONVERSION_SCHEME, ConversionView, titleOf } from '../../conversion/conversion-view.ts';
import { listDiagnostics } from './finding-diagnostics.ts';
import { FindingSummary } from './finding-summary.ts';
import { LanguageSteps } from './language-steps.ts';
import { PlaceSync } from './place-sync.ts';
import { listTabs, onDidCloseLastTab, uriOfTab } from '../../window/tabs.ts';
import type { Asker } from '../../language-client/ask.ts';
import { setLanguage } from '../../window/editor-language.ts';
import { findDocument } from '../../window/find-document.ts';

/** Where a view opens, and whether it takes the focus. */
interface ViewPlace {
  readonly viewColumn: ViewColumn;
  readonly focus: 'taken' | 'left';
}

/** The live conversion views: read-only documents, one per source and protocol, with losses as diagnostics. */
export class ConversionViews extends Changing<Uri> implements TextDocumentContentProvider {
  readonly #views = new Map<string, ConversionView>();
  readonly #diagnostics = this.own(languages.createDiagnosticCollection('Parley conversion'));
  readonly #summary = this.own(new FindingSummary(uri => this.find(uri)));
  readonly #converter: Asker;
  readonly #log: LogOutputChannel;
  readonly #sync: PlaceSync;
  /** The languages of documents that were replaced as a whole. */
  readonly languages = this.own(new LanguageSteps());
  #frozen = 0;

  constructor(converter: Asker, log: LogOutputChannel) {
    super();
    this.#converter = converter;
    this.#log = log;
    this.#sync = this.own(new PlaceSync(converter, log, () => [...this.#views.values()]));
    this.own(workspace.registerTextDocumentContentProvider(CONVERSION_SCHEME, this));
    this.own(
      workspace.onDidChangeTextDocument(event => {
        for (const view of this.#viewsOf(event.document)) view.follow(event);
        // The editor now has the text that a highlight was waiting for.
        if (this.#views.has(event.document.uri.toString())) this.#sync.request();
      }),
    );
    this.own(
      workspace.onDidCloseTextDocument(document => {
        // A change of the language is reported as closing and reopening the document.
        if (workspace.textDocuments.includes(document)) return;
        for (const view of this.#viewsOf(document)) view.closeSource();
      }),
    );
    this.own(
      workspace.onDidOpenTextDocument(document => {
        for (const view of this.#viewsOf(document)) view.reopenSource(document);
      }),
    );
    this.own(window.onDidChangeVisibleTextEditors(() => this.#noteVisible()));
    this.own(onDidCloseLastTab(uri => this.#delete(uri)));
  }

  /** The view of a document; undefined for other documents. */
  find(uri: Uri): ConversionView | undefined {
    return this.#views.get(uri.toString());
  }

  /**
   * Shows messages of a document beside it: those that a range touches, or all. Rejects if they cannot be
   * converted.
   */
  async show(
    document: TextDocument,
    range: Range | undefined,
    to: ConversionName,
    token?: CancellationToken,
  ): Promise<TextDocument> {
    const { uri: source } = document;
    const uri = Uri.from({
      scheme: CONVERSION_SCHEME,
      path: `/${titleOf(source, to)}`,
      query: source.toString(),
    });
    const view = this.#views.get(uri.toString()) ?? this.#add({ uri, to, source });
    try {
      await view.show(document, range, token);
    } catch (error) {
      if (!listTabs(uri)[0]) this.#delete(uri);
      throw error;
    }
    return this.#open(view, choosePlace(uri));
  }

  /** Shows a result whose source no longer exists. */
  showResult(source: Uri, to: ConversionName, result: ConvertResult): Promise<TextDocument> {
    this.#frozen++;
    const path = `/${titleOf(source, to)}`;
    const uri = Uri.from({ scheme: CONVERSION_SCHEME, path, query: `result-${this.#frozen}` });
    const view = this.#add({ uri, to, source: undefined });
    view.freeze(result);
    return this.#open(view, choosePlace(uri));
  }

  /** Shows the content of a view in another protocol and closes that view. */
  async switchTo(view: ConversionView, to: ConversionName): Promise<TextDocument | undefined> {
    const document = findDocument(view.source);
    if (!document || document.isClosed || to === view.to) return undefined;
    const shown = await this.show(document, view.rangeIn(document), to);
    // Looked up only now, because some versions of VS Code do not close a tab object from before.
    const tab = listTabs(view.uri)[0];
    if (tab) await window.tabGroups.close(tab, true);
    return shown;
  }

  /** Converts a document again after a change of how it is read, such as its dialect. */
  touch(uri: string): void {
    const document = findDocument(uri);
    if (document) for (const view of this.#viewsOf(document)) view.touch(document);
  }

  /** Converts everything again, because a restarted server has no stored conversions. */
  touchAll(): void {
    for (const document of workspace.textDocuments)
      for (const view of this.#viewsOf(document)) view.touch(document);
  }

  provideTextDocumentContent(uri: Uri): string {
    const view = this.find(uri);
    return view
      ? view.text
      : "This conversion is no longer stored. Run 'Parley: Convert…' on its source again.\n";
  }

  override dispose(): void {
    for (const view of this.#views.values()) view.dispose();
    super.dispose();
  }

  #add(name: {
    readonly uri: Uri;
    readonly to: ConversionName;
    readonly source: Uri | undefined;
  }): ConversionView {
    const view = new ConversionView(name, this.#converter, {
      onConverted: converted => this.#draw(converted),
      onFailed: ({ uri }, error) => this.#log.error(`${uri.path}: ${describeError(error)}`),
    });
    this.#views.set(name.uri.toString(), view);
    return view;
  }

  #draw(view: ConversionView): void {
    const { uri, result } = view;
    const open = findDocument(uri);
    if (result) this.#diagnostics.set(uri, listDiagnostics(result, view.source));
    this.#summary.renew();
    if (!open) return;
    this.changed.fire(uri);
    this.#sync.request();
    // The language can change, because one message may become several and vice versa.
    setLanguage(open, view.language).then(undefined, (error: unknown) =>
      this.#log.error(describeError(error)),
    );
  }

  async #open(view: ConversionView, place: ViewPlace): Promise<TextDocument> {
    const document = await setLanguage(await workspace.openTextDocument(view.uri), view.language);
    await window.showTextDocument(document, {
      viewColumn: place.viewColumn,
      preserveFocus: place.focus === 'left',
      preview: false,
    });
    this.#sync.request();
    return document;
  }

  #viewsOf({ uri }: TextDocument): readonly ConversionView[] {
    const wanted = uri.toString();
    return [...this.#views.values()].filter(({ source }) => source?.toString() === wanted);
  }

  #noteVisible(): void {
    const visible = new Set(window.visibleTextEditors.map(({ document }) => document.uri.toString()));
    for (const view of this.#views.values()) {
      const document = findDocument(view.source);
      view.setVisible(visible.has(view.uri.toString()) ? 'visible' : 'hidden', document);
    }
  }

  #delete(uri: Uri): void {
    this.find(uri)?.dispose();
    this.#views.delete(uri.toString());
    this.#diagnostics.delete(uri);
  }
}

/**
 * The view's own place, else the group of the view in front, else that of another visible view, else beside
 * the source.
 */
function choosePlace(uri: Uri): ViewPlace {
  const own = listTabs(uri)[0];
  if (own)
    return { viewColumn: own.group.viewColumn, focus: own.isActive && own.group.isActive ? 'taken' : 'left' };
  const { activeTabGroup, all } = window.tabGroups;
  if (showsView(activeTabGroup)) return { viewColumn: activeTabGroup.viewColumn, focus: 'taken' };
  const other = all.find(showsView);
  return { viewColumn: other?.viewColumn ?? ViewColumn.Beside, focus: 'left' };
}

function showsView({ activeTab }: TabGroup): boolean {
  return activeTab !== undefined && uriOfTab(activeTab)?.scheme === CONVERSION_SCHEME;
}
