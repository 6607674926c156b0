import {
  CancellationError,
  EventEmitter,
  workspace,
  type Disposable,
  type LogOutputChannel,
  type TextDocument,
  type Uri,
} from 'vscode';
import { vsdiag, type BaseLanguageClient, type LanguageClientOptions } from 'vscode-languageclient';
import { LANGUAGES } from '../../protocol/src/catalog/languages.ts';
import type { LinePosition } from '../../protocol/src/text/line-index.ts';
import {
  DIALECT_READ,
  isDialectReadParams,
  isRequestAtResult,
  OPTIONS_CHANGED,
  REQUEST_AT,
  type DialectReadParams,
  type RequestAtParams,
  type RequestAtResult,
  type ServerOptions,
} from '../../protocol/src/wire/server-messages.ts';
import {
  INSPECT_COMMAND,
  isTensorAnswer,
  TENSOR_AT,
  TENSORS,
  type TensorAnswer,
  type TensorAtParams,
  type TensorsParams,
} from '../../protocol/src/wire/tensor-requests.ts';
import { DisposableStore } from './dispose.ts';
import { describeError } from './log.ts';
import { REPLY_SCHEME } from './replies/reply-documents.ts';

/** Makes the client of this host: a process in the desktop host, a worker in the browser. */
export type CreateClient = (options: LanguageClientOptions) => BaseLanguageClient;

const LANGUAGE_IDS: ReadonlySet<string> = new Set(LANGUAGES.map(row => row.id));

/** The language server as the extension sees it: started when the first document of ours opens, and once only. */
export class LanguageServer implements Disposable {
  readonly #create: CreateClient;
  readonly #log: LogOutputChannel;
  readonly #store = new DisposableStore();
  readonly #dialectRead = this.#store.add(new EventEmitter<DialectReadParams>());
  readonly #isUnfinished: (uri: Uri) => boolean;
  #options: ServerOptions;
  #client: BaseLanguageClient | undefined;
  #started: Promise<void> | undefined;

  /** Tells in which dialect a document is read, and in which from now on. */
  readonly onDidReadDialect = this.#dialectRead.event;

  /** `isUnfinished` says which documents are replies that still come or were cut: what is not whole is not judged. */
  constructor(
    create: CreateClient,
    log: LogOutputChannel,
    options: ServerOptions,
    isUnfinished: (uri: Uri) => boolean,
  ) {
    this.#create = create;
    this.#log = log;
    this.#options = options;
    this.#isUnfinished = isUnfinished;
    this.#store.add(workspace.onDidOpenTextDocument(document => this.#startFor(document)));
    for (const document of workspace.textDocuments) this.#startFor(document);
  }

  /** The request at a place of a document, or undefined where none stands there. */
  async requestAt(uri: Uri, position: LinePosition): Promise<RequestAtResult | undefined> {
    // An unopened document is opened first: the server answers only for those that it was told of.
    await workspace.openTextDocument(uri);
    const client = await this.#running();
    const params: RequestAtParams = { uri: client.code2ProtocolConverter.asUri(uri), position };
    const answer: unknown = await client.sendRequest(REQUEST_AT, params);
    return isRequestAtResult(answer) ? answer : undefined;
  }

  /** The tensor at a place of a document that is open, or undefined where none stands there. */
  async tensorAt(uri: Uri, position: LinePosition): Promise<TensorAnswer | undefined> {
    const client = await this.#running();
    const params: TensorAtParams = { uri: client.code2ProtocolConverter.asUri(uri), position };
    const answer: unknown = await client.sendRequest(TENSOR_AT, params);
    return isTensorAnswer(answer) ? answer : undefined;
  }

  /** The tensors of a document that is open, the first thousand. */
  async tensors(uri: Uri): Promise<readonly TensorAnswer[]> {
    const client = await this.#running();
    const params: TensorsParams = { uri: client.code2ProtocolConverter.asUri(uri) };
    const answer: unknown = await client.sendRequest(TENSORS, params);
    return Array.isArray(answer) ? answer.filter(isTensorAnswer) : [];
  }

  /** Tells the server what the client may do now, so that lenses come and go. */
  async setOptions(options: ServerOptions): Promise<void> {
    this.#options = options;
    if (!this.#client) return;
    const client = await this.#running();
    await client.sendNotification(OPTIONS_CHANGED, options);
  }

  /** Stops the server and starts it again. */
  async restart(): Promise<void> {
    await this.stop();
    await this.#running();
  }

  /** Stops the server and waits for its end. */
  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#started = undefined;
    if (client?.needsStop()) await client.stop();
  }

  dispose(): void {
    this.#store.dispose();
    // The host waits for nobody here; `deactivate` awaits the same stop.
    void this.stop();
  }

  #startFor(document: TextDocument): void {
    if (!LANGUAGE_IDS.has(document.languageId) || this.#client) return;
    this.#running().catch((error: unknown) => this.#log.error(`Language server: ${describeError(error)}`));
  }

  async #running(): Promise<BaseLanguageClient> {
    const client = (this.#client ??= this.#create(this.#clientOptions()));
    const started = (this.#started ??= this.#start(client));
    try {
      await started;
    } catch (error) {
      // A client that failed to start never starts: the next need gets a new one.
      if (this.#started === started) this.#client = this.#started = undefined;
      throw error;
    }
    return client;
  }

  async #start(client: BaseLanguageClient): Promise<void> {
    client.onNotification(DIALECT_READ, (params: unknown) => {
      if (isDialectReadParams(params)) this.#dialectRead.fire(params);
    });
    await client.start();
    this.#log.info('Language server started.');
  }

  #clientOptions(): LanguageClientOptions {
    return {
      documentSelector: LANGUAGES.map(row => ({ language: row.id })),
      initializationOptions: () => this.#options,
      outputChannel: this.#log,
      middleware: {
        provideCodeLenses: async (document, token, next) => {
          const lenses = await next(document, token);
          // A reply is read, not sent: it has hovers and folds like any document, and its tensors can be looked at.
          return document.uri.scheme === REPLY_SCHEME
            ? lenses?.filter(({ command }) => command?.command === INSPECT_COMMAND)
            : lenses;
        },
        provideDiagnostics: (document, previous, token, next) =>
          this.#isUnfinished('uri' in document ? document.uri : document)
            ? { kind: vsdiag.DocumentDiagnosticReportKind.full, items: [] }
            : next(document, previous, token),
        provideDocumentSemanticTokens: async (document, token, next) =>
          orCancelled(await next(document, token)),
        provideDocumentSemanticTokensEdits: async (document, previous, token, next) =>
          orCancelled(await next(document, previous, token)),
      },
    };
  }
}

/**
 * The server colours a long document by what is shown, and answers nothing for the whole. VS Code takes that for a
 * document without colours and asks no further; after a cancelled answer it asks for what it shows.
 */
function orCancelled<Answer>(answer: Answer | null | undefined): Answer {
  if (!answer) throw new CancellationError();
  return answer;
}
