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
import { withStatus } from '../progress.ts';
import {
  convertDocument,
  stoppedBy,
  toRange,
  type Converter,
  type DocumentConversion,
} from './conversion-source.ts';
import { FollowedRange } from './followed-range.ts';
import { languageOf } from './result-language.ts';
import { shortName } from './words.ts';
import { Delay } from '../delay.ts';

/** The scheme of the read-only documents that show conversions. */
export const CONVERSION_SCHEME = 'parley-convert';

/** Milliseconds from a key to the conversion that has it. */
const PAUSE = 150;

/** The editor of VS Code does not take more. */
const LONGEST = 20_000_000;

/** What a view tells of itself. */
export interface ViewListener {
  onConverted(view: ConversionView): void;
  onFailed(view: ConversionView, error: unknown): void;
}

/** Messages of a document in another protocol, converted again after each edit while somebody looks. */
export class ConversionView {
  readonly uri: Uri;
  readonly to: ConversionName;
  /** The document that is converted; undefined for a result that stands for itself. */
  readonly source: Uri | undefined;
  readonly #converter: Converter;
  readonly #listener: ViewListener;
  #shown: ConvertResult | undefined;
  #conversion: DocumentConversion | undefined;
  /** Undefined for all of the document. */
  #range: FollowedRange | undefined;
  /** The text that was converted: a document that opens again goes on only where it stands as it did. */
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
    converter: Converter,
    listener: ViewListener,
  ) {
    this.uri = name.uri;
    this.to = name.to;
    this.source = name.source;
    this.#converter = converter;
    this.#listener = listener;
  }

  /** What the editor shows. */
  get text(): string {
    const text = this.#shown?.text ?? '';
    if (text.length <= LONGEST) return text;
    return `The result has ${text.length} characters, more than an editor takes.\nUse 'Parley: Copy As…', or convert the file with 'parley convert'.\n`;
  }

  get language(): string {
    return this.text === this.#shown?.text ? languageOf(this.to, this.text) : 'plaintext';
  }

  get result(): ConvertResult | undefined {
    return this.#shown;
  }

  /** The conversion that the server keeps the places of, while the document is as it was converted. */
  get current(): DocumentConversion | undefined {
    const found = this.#conversion;
    return found && !this.#isClosed && found.version === found.document.version ? found : undefined;
  }

  /** What of a document is shown: all of it, or what a range touches. */
  rangeIn(document: TextDocument): Range | undefined {
    return this.#range?.in(document);
  }

  /** Shows what a range of the document touches, or all of it. Rejects where it cannot be converted, or was stopped. */
  async show(document: TextDocument, range: Range | undefined, token?: CancellationToken): Promise<void> {
    this.#range = range && new FollowedRange(document, range);
    this.#isClosed = false;
    this.#isStale = true;
    await this.#running?.catch(() => undefined);
    await this.#convert(document, token);
  }

  /** Shows a result whose source is gone. */
  freeze(result: ConvertResult): void {
    this.#shown = result;
    this.#listener.onConverted(this);
  }

  /** An edit of the document. */
  follow(event: TextDocumentChangeEvent): void {
    if (event.contentChanges.length === 0) return;
    this.#range?.follow(event);
    this.touch(event.document);
  }

  /** Converts again soon: the document changed, or how it is read. */
  touch(document: TextDocument): void {
    if (this.#isClosed) return;
    this.#isStale = true;
    this.#wake(document);
  }

  setVisible(state: 'visible' | 'hidden', document: TextDocument | undefined): void {
    this.#isVisible = state === 'visible';
    if (document && this.#isStale && !this.#isClosed) this.#wake(document);
  }

  /** The document is gone: the view stays as it is. */
  closeSource(): void {
    this.#isClosed = true;
    this.#soon.dispose();
  }

  /** The document is there again. */
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

  async #convertOnce(document: TextDocument, converter: Converter): Promise<void> {
    this.#isStale = false;
    const range = this.#range?.in(document);
    const how = { to: this.to, layout: 'fitting', keepAs: this.uri.toString() } as const;
    const found = await convertDocument(converter, document, range, how);
    // Where no message is left, such as while one is typed anew, the last result stays.
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

/** The title of a view: `tools.aicl → MCP`. */
export function titleOf(source: Uri, to: ConversionName): string {
  const name = source.path.split('/').at(-1) || 'message';
  return `${name} → ${shortName(to)}`;
}
