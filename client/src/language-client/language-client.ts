import {
  CancellationError,
  CancellationTokenSource,
  EventEmitter,
  workspace,
  type Disposable,
  type LogOutputChannel,
  type TextDocument,
  type Uri,
} from 'vscode';
import {
  CodeLensRequest,
  State,
  vsdiag,
  type BaseLanguageClient,
  type LanguageClientOptions,
} from 'vscode-languageclient';
import { LANGUAGES } from '../../../core/catalog/languages.ts';
import type { LinePosition } from '../../../core/text/source-text.ts';
import { CONVERT_COMMAND } from '../../../wire/conversion-requests.ts';
import { REQUESTS_IN } from '../../../wire/requests-in.ts';
import {
  DIALECT_READ,
  OPTIONS_CHANGED,
  REQUEST_AT,
  type DialectReadParams,
  type RequestAtResult,
  type ServerOptions,
} from '../../../wire/server-messages.ts';
import { AGENT_TOOLS, type AgentToolsParams } from '../../../wire/live-tools.ts';
import { MEDIA_COMMAND } from '../../../wire/media-requests.ts';
import { INSPECT_COMMAND } from '../../../wire/tensor-requests.ts';
import type { Asker, ServerRequest } from './ask.ts';
import { describeLens, type FindRunning } from './describe-lens.ts';
import { askUntilSettled } from './ask-until-settled.ts';
import { isKnown } from '../conversion/conversion-source.ts';
import { CONVERSION_SCHEME } from '../conversion/conversion-view.ts';
import { DisposableStore } from '../base/dispose.ts';
import { LensQuestions } from './lens-questions.ts';
import { describeError } from '../base/log.ts';
import { REPLY_SCHEME } from '../replies/reply-documents.ts';
import { escapeProposal } from '../window/sinks/labels.ts';
import type { WireRange } from '../../../wire/places.ts';

const NEVER_CANCELLED = new CancellationTokenSource().token;

/** Creates the client of the host: a process on the desktop, a worker in the browser. */
export type CreateClient = (options: LanguageClientOptions) => BaseLanguageClient;

/**
 * The lenses of read-only documents. Replies can be inspected and converted; a conversion has its protocols
 * in the title bar.
 */
const READ_ONLY: ReadonlyMap<string, readonly string[]> = new Map([
  [REPLY_SCHEME, [INSPECT_COMMAND, MEDIA_COMMAND, CONVERT_COMMAND]],
  [CONVERSION_SCHEME, [INSPECT_COMMAND, MEDIA_COMMAND]],
]);

/** The client side of the language server, which is started once, when the first AICF or AICL document opens. */
export class LanguageServer implements Asker, Disposable {
  readonly #create: CreateClient;
  readonly #log: LogOutputChannel;
  readonly #store = new DisposableStore();
  readonly #dialectRead = this.#store.add(new EventEmitter<DialectReadParams>());
  readonly #startedAnew = this.#store.add(new EventEmitter<void>());
  readonly #isUnfinished: (uri: Uri) => boolean;
  readonly #findRunning: FindRunning;
  readonly #lensQuestions = this.#store.add(new LensQuestions(document => this.#remindOfLenses(document)));
  #options: ServerOptions;
  #agentTools: AgentToolsParams | undefined;
  #client: BaseLanguageClient | undefined;
  #started: Promise<void> | undefined;
  #hasRun = false;

  /** Fires with the dialect in which a document is read, now and after changes. */
  readonly onDidReadDialect = this.#dialectRead.event;

  /** Fires when the server was restarted and has lost its state. */
  readonly onDidStartAnew = this.#startedAnew.event;

  /**
   * `isUnfinished` returns true for replies that are still growing or were cut; these get no diagnostics. The lens
   * of a request that `findRunning` finds stops its call.
   */
  constructor(
    create: CreateClient,
    log: LogOutputChannel,
    options: ServerOptions,
    isUnfinished: (uri: Uri) => boolean,
    findRunning: FindRunning = () => undefined,
  ) {
    this.#create = create;
    this.#log = log;
    this.#options = options;
    this.#isUnfinished = isUnfinished;
    this.#findRunning = findRunning;
    this.#store.add(workspace.onDidOpenTextDocument(document => this.#startFor(document)));
    for (const document of workspace.textDocuments) this.#startFor(document);
  }

  async ask<Params, Result>(
    { method }: ServerRequest<Params, Result>,
    params: Params,
    token = NEVER_CANCELLED,
  ): Promise<Result> {
    const client = await this.#running();
    try {
      return await askUntilSettled(() => client.sendRequest<Result>(method, params, token));
    } catch (error) {
      throw token.isCancellationRequested ? new CancellationError() : error;
    }
  }

  /** The request at a position; undefined if there is none. */
  async requestAt(uri: Uri, position: LinePosition): Promise<RequestAtResult | undefined> {
    // Opens the document first, because the server knows only open documents.
    const document = await workspace.openTextDocument(uri);
    const answer = (await this.ask(REQUEST_AT, { uri: uri.toString(), position })) ?? undefined;
    // If the text was edited meanwhile, the position may have moved.
    return !answer || answer.version === document.version ? answer : this.requestAt(uri, position);
  }

  /** The start positions of requests in an open document, in order: those that a range touches, or all. */
  requestsIn(uri: Uri, range: WireRange | undefined): Promise<readonly LinePosition[]> {
    return this.ask(REQUESTS_IN, { uri: uri.toString(), ...(range && { range }) });
  }

  /** Sends the current capabilities of the client to the server, which updates the lenses. */
  async setOptions(options: ServerOptions): Promise<void> {
    this.#options = options;
    if (!this.#client) return;
    const client = await this.#running();
    await client.sendNotification(OPTIONS_CHANGED, options);
  }

  /** Sends the tools of agents to the server; one that starts later receives them then. */
  async setAgentTools(params: AgentToolsParams): Promise<void> {
    this.#agentTools = params;
    if (!this.#client) return;
    const client = await this.#running();
    await client.sendNotification(AGENT_TOOLS, params);
  }

  /** Makes VS Code request the lenses again. */
  redrawLenses(): void {
    // One provider has the lenses of all documents.
    const any = workspace.textDocuments.find(isKnown);
    if (any) this.#remindOfLenses(any);
  }

  /** Restarts the server. */
  async restart(): Promise<void> {
    await this.stop();
    await this.#running();
  }

  /** Stops the server and waits until it has ended. */
  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#started = undefined;
    // A request of this turn has not got its connection yet; it would fail with a message to the user.
    await new Promise(resolve => setTimeout(resolve));
    if (client?.needsStop()) await client.stop();
  }

  dispose(): void {
    this.#store.dispose();
    // Not awaited here; `deactivate` awaits the same stop.
    void this.stop();
  }

  #startFor(document: TextDocument): void {
    if (!isKnown(document) || this.#client) return;
    this.#running().catch((error: unknown) => this.#log.error(`Language server: ${describeError(error)}`));
  }

  async #running(): Promise<BaseLanguageClient> {
    const client = (this.#client ??= this.#create(this.#clientOptions()));
    const started = (this.#started ??= this.#start(client));
    try {
      await started;
    } catch (error) {
      // A client that failed to start cannot be restarted, so the next use creates a new one.
      if (this.#started === started) this.#client = this.#started = undefined;
      throw error;
    }
    return client;
  }

  async #start(client: BaseLanguageClient): Promise<void> {
    client.onNotification(DIALECT_READ, (params: DialectReadParams) => this.#dialectRead.fire(params));
    // The client itself restarts a server that crashed.
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) this.#noteStart(client);
    });
    await client.start();
    this.#log.info('Language server started.');
  }

  #noteStart(client: BaseLanguageClient): void {
    // A starting server has no data about agents. Errors are ignored, because a restarted server receives them again.
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
          for (const lens of lenses ?? []) describeLens(lens, document.uri, this.#findRunning);
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
 * The server answers only ranges for a long document. VS Code would treat an empty answer as a document
 * without tokens, but after a cancelled one it requests the visible range.
 */
function orCancelled<Answer>(answer: Answer | null | undefined): Answer {
  if (!answer) throw new CancellationError();
  return answer;
}
