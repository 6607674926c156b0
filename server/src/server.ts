import {
  DidChangeConfigurationNotification,
  PositionEncodingKind,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
} from 'vscode-languageserver';
import { PRODUCT } from '../../core/catalog/product.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../core/catalog/settings.ts';
import { isRecord } from '../../core/guard.ts';
import { AGENT_TOOLS, readAgentTools } from '../../wire/live-tools.ts';
import { OPTIONS_CHANGED, readServerOptions, type ServerOptions } from '../../wire/server-messages.ts';
import { WorkspaceTools } from './agent-tools.ts';
import { Documents } from './documents.ts';
import type { Change, FeatureHost } from './features/feature.ts';
import { FEATURES, listCapabilities } from './features/index.ts';
import { guardWork } from './guard.ts';
import { reportOnceTo } from './notices.ts';
import type { Runtime } from './runtime.ts';
import { describeWrongRules, sameSettings, settingsOf } from './settings.ts';
import { Workspace } from './workspace.ts';

/** Starts the language server on a connection; used by a process, a worker and tests alike. */
export function startServer(connection: Connection, runtime: Runtime): void {
  const documents = new Documents(runtime.languages);
  connection.onInitialize(params => {
    new Session(connection, runtime, documents, params).register();
    return describeServer(params);
  });
  documents.listen(connection);
  connection.listen();
}

function describeServer(params: InitializeParams): InitializeResult {
  return {
    capabilities: {
      positionEncoding: PositionEncodingKind.UTF16,
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      ...listCapabilities(params.capabilities),
    },
    serverInfo: { name: PRODUCT.title, version: PRODUCT.version },
  };
}

/** The state of one client after `initialize`: its options, its settings and the features. */
class Session {
  readonly #host: FeatureHost;
  #options: ServerOptions;
  #settings: Settings = DEFAULT_SETTINGS;

  constructor(connection: Connection, runtime: Runtime, documents: Documents, params: InitializeParams) {
    this.#options = readServerOptions(params.initializationOptions);
    documents.useDialects(this.#options.dialects);
    documents.useContext(this.#options);
    const base = {
      connection,
      runtime,
      documents,
      workspace: new Workspace(
        { runtime, documents, log: message => connection.console.warn(message) },
        params,
      ),
      logError: (message: string) => connection.console.error(message),
    };
    this.#host = {
      ...base,
      workspaceTools: new WorkspaceTools(base, () => this.#refresh('tools')),
      client: params.capabilities,
      options: () => this.#options,
      reportOnce: reportOnceTo(line => connection.console.info(line)),
    };
  }

  register(): void {
    const { connection, workspace, workspaceTools, client } = this.#host;
    for (const feature of FEATURES) feature.register(this.#host);
    workspaceTools.follow();
    connection.onInitialized(() => {
      workspace.follow(connection, client);
      return this.#guarded('settings', () => this.#start());
    });
    connection.onDidChangeConfiguration((params: unknown) =>
      this.#guarded('settings', () => this.#readSettings(isRecord(params) ? params['settings'] : undefined)),
    );
    connection.onNotification(OPTIONS_CHANGED, (params: unknown) =>
      this.#guarded('options', () => this.#changeOptions(params)),
    );
    connection.onNotification(AGENT_TOOLS, (params: unknown) =>
      this.#guarded('agentTools', () => workspaceTools.useLive(readAgentTools(params))),
    );
  }

  async #guarded(feature: string, run: () => Promise<void>): Promise<void> {
    await guardWork(this.#host, { feature }, undefined, run);
  }

  async #start(): Promise<void> {
    const { connection, workspace, client } = this.#host;
    await this.#followSettings();
    await workspace.watch(connection, client);
    // The client may have discarded the results of requests that it sent during its own start.
    await this.#refresh('options');
  }

  async #followSettings(): Promise<void> {
    const { client, connection } = this.#host;
    if (client.workspace?.configuration !== true) return;
    if (client.workspace.didChangeConfiguration?.dynamicRegistration === true) {
      await connection.client.register(DidChangeConfigurationNotification.type, { section: 'parley' });
    }
    await this.#readSettings(undefined);
  }

  /** Requests the settings if the client supports it; other clients send them with the change. */
  async #readSettings(sent: unknown): Promise<void> {
    const { client, connection, documents } = this.#host;
    const canAsk = client.workspace?.configuration === true;
    const section: unknown = canAsk
      ? await connection.workspace.getConfiguration('parley')
      : isRecord(sent)
        ? sent['parley']
        : undefined;
    const wrong = describeWrongRules(section);
    if (wrong !== undefined) connection.console.warn(wrong);
    const settings = settingsOf(section);
    if (sameSettings(settings, this.#settings)) return;
    this.#settings = settings;
    documents.useSettings(settings);
    await this.#refresh('settings');
  }

  async #changeOptions(params: unknown): Promise<void> {
    const { documents, workspace } = this.#host;
    this.#options = readServerOptions(params);
    const isOther = documents.useContext(this.#options);
    const isReadAnew = documents.useDialects(this.#options.dialects) || isOther;
    workspace.forget();
    await this.#refresh(isReadAnew ? 'settings' : 'options');
  }

  async #refresh(change: Change): Promise<void> {
    for (const feature of FEATURES) await feature.refresh?.(this.#host, change);
  }
}
