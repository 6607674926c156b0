import { PassThrough } from 'node:stream';
import {
  createConnection,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  InitializedNotification,
  InitializeRequest,
  LogMessageNotification,
  ProposedFeatures,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type Connection,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver/node';
import { NODE_RUNTIME } from '../../../server/src/node-runtime.ts';
import type { Runtime } from '../../../server/src/runtime.ts';
import { startServer } from '../../../server/src/server.ts';

/** A client that can do all that the server makes use of. */
export const RICH_CLIENT: ClientCapabilities = {
  textDocument: {
    diagnostic: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    completion: { completionItem: { snippetSupport: true } },
  },
};

/** Pauses of the server, such as after an edit, are this much shorter where a test waits for what follows. */
const HASTE = 20;

/** A runtime for tests of what follows a pause: each pause is a short one. */
export const QUICK_RUNTIME: Runtime = {
  ...NODE_RUNTIME,
  startTimer: (milliseconds, callback) => NODE_RUNTIME.startTimer(milliseconds / HASTE, callback),
};

export interface ClientOptions {
  readonly capabilities?: ClientCapabilities;
  readonly initializationOptions?: unknown;
  readonly runtime?: Runtime;
  /** URIs of the folders of the workspace; none where it is left out. */
  readonly folders?: readonly string[];
  /** Called before `initialize`, to answer requests of the server. */
  readonly prepare?: (client: ProtocolConnection) => void;
}

/** A client and the real server on two streams in this process, and all notifications of the server. */
export class TestClient {
  readonly connection: ProtocolConnection;
  readonly pushed: PublishDiagnosticsParams[] = [];
  readonly log: string[] = [];
  initialized: InitializeResult | undefined;
  readonly #server: Connection;

  constructor(connection: ProtocolConnection, server: Connection) {
    this.connection = connection;
    this.#server = server;
  }

  static async start(options: ClientOptions = {}): Promise<TestClient> {
    const up = new PassThrough();
    const down = new PassThrough();
    const server = createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(up),
      new StreamMessageWriter(down),
    );
    startServer(server, options.runtime ?? NODE_RUNTIME);
    const connection = createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
    const client = new TestClient(connection, server);
    connection.onNotification(PublishDiagnosticsNotification.type, params => void client.pushed.push(params));
    connection.onNotification(LogMessageNotification.type, params => void client.log.push(params.message));
    options.prepare?.(connection);
    connection.listen();
    client.initialized = await connection.sendRequest(InitializeRequest.type, {
      processId: null,
      rootUri: null,
      ...(options.folders && { workspaceFolders: options.folders.map(uri => ({ uri, name: uri })) }),
      capabilities: options.capabilities ?? RICH_CLIENT,
      initializationOptions: options.initializationOptions,
    });
    await connection.sendNotification(InitializedNotification.type, {});
    return client;
  }

  /** Opens a document; its URI. */
  async open(name: string, languageId: string, text: string): Promise<string> {
    const uri = `file:///folder/${name}`;
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId, version: 1, text },
    });
    return uri;
  }

  async change(
    uri: string,
    version: number,
    contentChanges: TextDocumentContentChangeEvent[],
  ): Promise<void> {
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges,
    });
  }

  async close(uri: string): Promise<void> {
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  /** Ends both sides. `exit` is not sent: in the same process it would end the tests. */
  async stop(): Promise<void> {
    await this.connection.sendRequest(ShutdownRequest.type);
    this.connection.dispose();
    this.#server.dispose();
  }
}

/** Waits until a condition holds, for what arrives by itself. The test's own time limit ends a wait in vain. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 5));
}

/** Starts a client for a test, and stops it whatever comes of the test. */
export async function withClient(
  options: ClientOptions,
  test: (client: TestClient) => Promise<void>,
): Promise<void> {
  const client = await TestClient.start(options);
  try {
    await test(client);
  } finally {
    await client.stop();
  }
}
