import {
  CancellationError,
  CancellationTokenSource,
  EventEmitter,
  workspace,
  type CancellationToken,
  type Disposable,
  type LogOutputChannel,
  type TextDocument,
  type Uri,
} from 'vscode';
import {
  CodeLensRequest,
  CompletionRequest,
  DocumentDiagnosticRequest,
  SemanticTokensRequest,
  State,
  vsdiag,
  type BaseLanguageClient,
  type CompletionItem,
  type Diagnostic,
  type LanguageClientOptions,
} from 'vscode-languageclient';
import { LANGUAGES } from '../../core/catalog/languages.ts';
import type { LinePosition } from '../../core/text/line-index.ts';
import {
  CONVERT,
  CONVERT_COMMAND,
  CONVERTED_AT,
  isConvertResult,
  type ConvertedAtParams,
  type ConvertParams,
  type ConvertResult,
} from '../../wire/conversion-requests.ts';
import {
  COST,
  COUNT_TEXTS,
  isCostResult,
  isTextCounts,
  isTokensResult,
  TOKENS,
  type CostParams,
  type CostResult,
  type CountTextsParams,
  type TokensParams,
  type TokensResult,
} from '../../wire/cost-requests.ts';
import { isPositions, REQUESTS_IN, type RequestsInParams } from '../../wire/requests-in.ts';
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
} from '../../wire/server-messages.ts';
import { AGENT_TOOLS, type AgentToolsParams } from '../../wire/live-tools.ts';
import { MEDIA_COMMAND } from '../../wire/media-requests.ts';
import {
  INSPECT_COMMAND,
  isTensorAnswer,
  TENSOR_AT,
  TENSORS,
  type TensorAnswer,
  type TensorAtParams,
  type TensorsParams,
} from '../../wire/tensor-requests.ts';
import { isTextAnswer, TEXT_AT, type TextAnswer, type TextAtParams } from '../../wire/text-requests.ts';
import { askUntilSettled } from './ask-until-settled.ts';
import { CONVERSION_SCHEME } from './convert/conversion-view.ts';
import { DisposableStore } from './dispose.ts';
import { LensQuestions } from './lens-questions.ts';
import { describeError } from './log.ts';
import { REPLY_SCHEME } from './replies/reply-documents.ts';
import { escapeLensTitle, escapeProposal } from './sinks/labels.ts';
import { isWireRange, type WireRange } from '../../wire/places.ts';

const NEVER_CANCELLED = new CancellationTokenSource().token;

/** Makes the client of this host: a process in the desktop host, a worker in the browser. */
export type CreateClient = (options: LanguageClientOptions) => BaseLanguageClient;

const LANGUAGE_IDS: ReadonlySet<string> = new Set(LANGUAGES.map(row => row.id));

/**
 * The lenses of documents that are read, not sent. A reply has hovers and folds like any document, and can be looked into
 * and converted; a conversion has its protocols in its title bar.
 */
const READ_ONLY: ReadonlyMap<string, readonly string[]> = new Map([
  [REPLY_SCHEME, [INSPECT_COMMAND, MEDIA_COMMAND, CONVERT_COMMAND]],
  [CONVERSION_SCHEME, [INSPECT_COMMAND, MEDIA_COMMAND]],
]);

/** The language server as the extension sees it: started when the first document of ours opens, and once only. */
export class LanguageServer implements Disposable {
  readonly #create: CreateClient;
  readonly #log: LogOutputChannel;
  readonly #store = new DisposableStore();
  readonly #dialectRead = this.#store.add(new EventEmitter<DialectReadParams>());
  readonly #startedAnew = this.#store.add(new EventEmitter<void>());
  readonly #isUnfinished: (uri: Uri) => boolean;
  readonly #lensQuestions = this.#store.add(new LensQuestions(document => this.#remindOfLenses(document)));
  #options: ServerOptions;
  #agentTools: AgentToolsParams | undefined;
  #client: BaseLanguageClient | undefined;
  #started: Promise<void> | undefined;
  #hasRun = false;

  /** Tells in which dialect a document is read, and in which from now on. */
  readonly onDidReadDialect = this.#dialectRead.event;

  /** The server was started anew: what it was told and what it kept is forgotten. */
  readonly onDidStartAnew = this.#startedAnew.event;

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
    const document = await workspace.openTextDocument(uri);
    const client = await this.#running();
    const params: RequestAtParams = { uri: client.code2ProtocolConverter.asUri(uri), position };
    const answer: unknown = await askUntilSettled(() => client.sendRequest(REQUEST_AT, params));
    if (!isRequestAtResult(answer)) return undefined;
    // What was typed meanwhile may have moved it.
    return answer.version === document.version ? answer : this.requestAt(uri, position);
  }

  /** Where the requests of a document that is open begin, in order: those that a range touches, or all. */
  async requestsIn(uri: Uri, range: WireRange | undefined): Promise<readonly LinePosition[]> {
    const client = await this.#running();
    const params: RequestsInParams = {
      uri: client.code2ProtocolConverter.asUri(uri),
      ...(range && { range }),
    };
    const answer: unknown = await askUntilSettled(() => client.sendRequest(REQUESTS_IN, params));
    return isPositions(answer) ? answer : [];
  }

  /** What is wrong with a document that is open, also with one that no editor shows. */
  async problemsIn(uri: Uri): Promise<readonly Diagnostic[]> {
    const client = await this.#running();
    const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
    const report = await askUntilSettled(() =>
      client.sendRequest(DocumentDiagnosticRequest.type, { textDocument }),
    );
    return report.kind === 'full' ? report.items : [];
  }

  /** The coloured pieces of a document that is open, also of one that no editor shows, as the protocol packs them. */
  async coloursOf(uri: Uri): Promise<readonly number[]> {
    const client = await this.#running();
    const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
    const found = await askUntilSettled(() =>
      client.sendRequest(SemanticTokensRequest.type, { textDocument }),
    );
    return found?.data ?? [];
  }

  /** What may be written at a place of a document that is open, also of one that no editor shows. */
  async proposalsAt(uri: Uri, position: LinePosition): Promise<readonly CompletionItem[]> {
    const client = await this.#running();
    const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
    const found = await askUntilSettled(() =>
      client.sendRequest(CompletionRequest.type, { textDocument, position }),
    );
    return Array.isArray(found) ? found : (found?.items ?? []);
  }

  /** The tensor at a place of a document that is open, or undefined where none stands there. */
  async tensorAt(uri: Uri, position: LinePosition): Promise<TensorAnswer | undefined> {
    const client = await this.#running();
    const params: TensorAtParams = { uri: client.code2ProtocolConverter.asUri(uri), position };
    const answer: unknown = await client.sendRequest(TENSOR_AT, params);
    return isTensorAnswer(answer) ? answer : undefined;
  }

  /** The text of a message at a place of a document that is open, or undefined where none stands there. */
  async textAt(uri: Uri, position: LinePosition): Promise<TextAnswer | undefined> {
    const client = await this.#running();
    const params: TextAtParams = { uri: client.code2ProtocolConverter.asUri(uri), position };
    const answer: unknown = await client.sendRequest(TEXT_AT, params);
    return isTextAnswer(answer) ? answer : undefined;
  }

  /** The tensors of a document that is open, the first thousand. */
  async tensors(uri: Uri): Promise<readonly TensorAnswer[]> {
    const client = await this.#running();
    const params: TensorsParams = { uri: client.code2ProtocolConverter.asUri(uri) };
    const answer: unknown = await client.sendRequest(TENSORS, params);
    return Array.isArray(answer) ? answer.filter(isTensorAnswer) : [];
  }

  /** What messages cost in every protocol. Rejects once it is cancelled. */
  async cost(params: CostParams, token: CancellationToken): Promise<CostResult> {
    const client = await this.#running();
    const answer: unknown = await client.sendRequest(COST, params, token);
    return isCostResult(answer) ? answer : { ok: false, reason: 'The language server gave no answer' };
  }

  /** What the message at a place of an open document costs; undefined where none stands there. Rejects once cancelled. */
  async tokens(
    uri: Uri,
    { position, encoding }: Pick<TokensParams, 'position' | 'encoding'>,
    token: CancellationToken,
  ): Promise<TokensResult | undefined> {
    const client = await this.#running();
    const params: TokensParams = { uri: client.code2ProtocolConverter.asUri(uri), position, encoding };
    const answer: unknown = await client.sendRequest(TOKENS, params, token);
    return isTokensResult(answer) ? answer : undefined;
  }

  /** How many tokens texts are, each by itself. Rejects with a sentence for the user where they cannot be counted. */
  async countTexts(params: CountTextsParams): Promise<readonly number[]> {
    const client = await this.#running();
    const answer: unknown = await client.sendRequest(COUNT_TEXTS, params);
    if (isTextCounts(answer, params.texts.length)) return answer;
    throw new Error('The language server could not count; the log of Parley tells why');
  }

  /**
   * Messages in another protocol; undefined for a document that is not open, and for a range that touches no message.
   * Rejects with a `CancellationError` once it is cancelled.
   */
  async convert(params: ConvertParams, token = NEVER_CANCELLED): Promise<ConvertResult | undefined> {
    const client = await this.#running();
    try {
      const answer: unknown = await client.sendRequest(CONVERT, params, token);
      return isConvertResult(answer) ? answer : undefined;
    } catch (error) {
      throw token.isCancellationRequested ? new CancellationError() : error;
    }
  }

  /** What a place of a conversion became, or was; undefined where nothing is known of it. */
  async convertedAt(params: ConvertedAtParams): Promise<WireRange | undefined> {
    const client = await this.#running();
    const answer: unknown = await client.sendRequest(CONVERTED_AT, params);
    return isWireRange(answer) ? answer : undefined;
  }

  /** Tells the server what the client may do now, so that lenses come and go. */
  async setOptions(options: ServerOptions): Promise<void> {
    this.#options = options;
    if (!this.#client) return;
    const client = await this.#running();
    await client.sendNotification(OPTIONS_CHANGED, options);
  }

  /** Tells the server what agents said of their tools; one that starts later is told then. */
  async setAgentTools(params: AgentToolsParams): Promise<void> {
    this.#agentTools = params;
    if (!this.#client) return;
    const client = await this.#running();
    await client.sendNotification(AGENT_TOOLS, params);
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
    // It starts a server that crashed again by itself.
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) this.#noteStart(client);
    });
    await client.start();
    this.#log.info('Language server started.');
  }

  #noteStart(client: BaseLanguageClient): void {
    // A server that starts knows nothing of agents; one that ends meanwhile is told when it starts again.
    if (this.#agentTools) void client.sendNotification(AGENT_TOOLS, this.#agentTools).catch(() => undefined);
    if (this.#hasRun) this.#startedAnew.fire();
    this.#hasRun = true;
    this.#lensQuestions.expect();
  }

  #remindOfLenses(document: TextDocument): void {
    if (this.#client?.state !== State.Running) return;
    const lenses = this.#client.getFeature(CodeLensRequest.method).getProvider(document);
    lenses?.onDidChangeCodeLensEmitter.fire();
  }

  #clientOptions(): LanguageClientOptions {
    return {
      documentSelector: LANGUAGES.map(row => ({ language: row.id })),
      initializationOptions: () => this.#options,
      outputChannel: this.#log,
      middleware: {
        provideCodeLenses: async (document, token, next) => {
          this.#lensQuestions.note(document);
          const lenses = await next(document, token);
          const shown = READ_ONLY.get(document.uri.scheme);
          for (const { command } of lenses ?? []) if (command) command.title = escapeLensTitle(command.title);
          return shown
            ? lenses?.filter(({ command }) => !command || shown.includes(command.command))
            : lenses;
        },
        provideCompletionItem: async (document, position, context, token, next) => {
          const found = await next(document, position, context, token);
          for (const item of Array.isArray(found) ? found : (found?.items ?? [])) escapeProposal(item);
          return found;
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
