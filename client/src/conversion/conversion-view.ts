import {
  CancellationError,
  CancellationTokenSource,
  type CancellationToken,
  type Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  type Uri,
} from 'vscode';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import type { ConvertResult } from '../../../wire/conversion-requests.ts';
import { withStatus } from '../window/progress.ts';
import { convertDocument, toRange, type DocumentConversion } from './conversion-source.ts';
import { FollowedRange } from './followed-range.ts';
import { languageOf } from './result-language.ts';
import { shortName } from './words.ts';
import { stoppedBy, type Asker } from '../language-client/ask.ts';
import { Delay } from '../base/delay.ts';

/** The URI scheme of the read-only documents that show conversions. */
export const CONVERSION_SCHEME = 'parley-convert';

/** Milliseconds from an edit to the next conversion. */
const PAUSE = 150;

/** The maximum number of characters in a VS Code editor. */
const LONGEST = 20_000_000;

/** Callbacks of a view. */
export interface ViewListener {
  onConverted(view: ConversionView): void;
  onFailed(view: ConversionView, error: unknown): void;
}

/**
 * Shows the messages of a document in another protocol, and converts again after each edit while the view is
 * visible.
 */
export class ConversionView {
  readonly uri: Uri;
  readonly to: ConversionName;
  /** The converted document; undefined for a result without a source. */
  readonly source: Uri | undefined;
  readonly #converter: Asker;
  readonly #listener: ViewListener;
  #shown: ConvertResult | undefined;
  #conversion: DocumentConversion | undefined;
  /** Undefined for the whole document. */
  #range: FollowedRange | undefined;
  /** The converted text. A reopened document is followed again only if this text is unchanged. */
  #sourceText = '';
  #isClosed = false;
  #isVisible = true;
  #document: TextDocument | undefined;
  readonly #soon = new Delay(() => this.#run());
  #running: Promise<void> | undefined;
  #isStale = true;
  readonly #ended = new CancellationTokenSource();

  constructor(
    name: { readonly uri: Uri; readonly to: ConversionName; readonly source: Uri | undefined },
    converter: Asker,
    listener: ViewListener,
  ) {
    this.uri = name.uri;
    this.to = name.to;
    this.source = name.source;
    this.#converter = converter;
    this.#listener = listener;
  }

  /** The text of the view's document. */
  get text(): string {
    const text = this.#shown?.text ?? '';
    if (text.length <= LONGEST) return text;
    return `The result has ${text.length} characters, more than an editor takes.\nUse 'Copy…' in 'Parley: Convert…', or convert the file with 'parley convert'.\n`;
  }

  get language(): string {
    return this.text === this.#shown?.text ? languageOf(this.to, this.text) : 'plaintext';
  }

  get result(): ConvertResult | undefined {
    return this.#shown;
  }

  /** The conversion whose positions the server has stored, as long as the document is unchanged since then. */
  get current(): DocumentConversion | undefined {
    const found = this.#conversion;
    return found && !this.#isClosed && found.version === found.document.version ? found : undefined;
  }

  /** The converted range of the document; undefined for all of it. */
  rangeIn(document: TextDocument): Range | undefined {
    return this.#range?.in(document);
  }

  /**
   * Shows the messages that a range of the document touches, or all. Rejects if they cannot be converted or
   * the token is cancelled.
   */
  async show(document: TextDocument, range: Range | undefined, token?: CancellationToken): Promise<void> {
    this.#range = range && new FollowedRange(document, range);
    this.#isClosed = false;
    this.#isStale = true;
    await this.#running?.catch(() => undefined);
    await this.#convert(document, token);
  }

  /** Shows a result that has no source any more. */
  freeze(result: ConvertResult): void {
    this.#shown = result;
    this.#listener.onConverted(this);
  }

  /** Applies an edit of the document. */
  follow(event: TextDocumentChangeEvent): void {
    if (event.contentChanges.length === 0) return;
    this.#range?.follow(event);
    this.touch(event.document);
  }

  /** Converts again soon, after a change of the document or of how it is read. */
  touch(document: TextDocument): void {
    if (this.#isClosed) return;
    this.#isStale = true;
    this.#wake(document);
  }

  setVisible(state: 'visible' | 'hidden', document: TextDocument | undefined): void {
    this.#isVisible = state === 'visible';
    if (document && this.#isStale && !this.#isClosed) this.#wake(document);
  }

  /** The document was closed; the view stays unchanged. */
  closeSource(): void {
    this.#isClosed = true;
    this.#soon.dispose();
  }

  /** The document was opened again. */
  reopenSource(document: TextDocument): void {
    const range = this.#range?.in(document);
    if (range && document.getText(range) !== this.#sourceText) return;
    this.#isClosed = false;
    this.touch(document);
  }

  dispose(): void {
    this.closeSource();
    this.#ended.cancel();
    this.#ended.dispose();
  }

  #wake(document: TextDocument): void {
    if (!this.#isVisible) return;
    this.#document = document;
    this.#soon.ask(PAUSE);
  }

  async #run(): Promise<void> {
    await this.#running?.catch(() => undefined);
    const document = this.#document;
    if (!document || this.#isClosed || !this.#isStale) return;
    try {
      await withStatus(`Converting to ${shortName(this.to)}`, this.#convert(document));
    } catch (error) {
      if (!(error instanceof CancellationError)) this.#listener.onFailed(this, error);
    }
  }

  #convert(document: TextDocument, token: CancellationToken = this.#ended.token): Promise<void> {
    const work = this.#convertOnce(document, stoppedBy(this.#converter, token));
    this.#running = work;
    return work;
  }

  async #convertOnce(document: TextDocument, converter: Asker): Promise<void> {
    this.#isStale = false;
    const range = this.#range?.in(document);
    const how = { to: this.to, layout: 'fitting', keepAs: this.uri.toString() } as const;
    const found = await convertDocument(converter, document, range, how);
    // If no message is left, for example while the user retypes one, the last result stays.
    if (!found || this.#isClosed) return;
    this.#conversion = found;
    this.#shown = found.result;
    if (this.#range && found.version === document.version) {
      const whole = toRange(found.result.source);
      this.#range = new FollowedRange(document, whole);
      this.#sourceText = document.getText(whole);
    }
    this.#listener.onConverted(this);
  }
}

/** The title of a view, such as `tools.aicl → MCP`. */
export function titleOf(source: Uri, to: ConversionName): string {
  const name = source.path.split('/').at(-1) || 'message';
  return `${name} → ${shortName(to)}`;
}
