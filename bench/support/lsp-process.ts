import { spawn, type ChildProcess } from 'node:child_process';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-languageserver/node';

/** A language server in a separate process, as an editor starts it. */
export class LspProcess {
  readonly connection: MessageConnection;
  readonly #child: ChildProcess;

  constructor(module: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, [module, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdin, stdout } = this.#child;
    if (!stdin || !stdout) throw new Error('LspProcess: the server has no pipes');
    this.connection = createMessageConnection(
      new StreamMessageReader(stdout),
      new StreamMessageWriter(stdin),
    );
    // Ends pending requests if the server exits, which would otherwise wait forever.
    this.#child.once('exit', () => this.connection.dispose());
    this.connection.listen();
  }

  /** Starts the session, which must precede all other messages. */
  async initialize(capabilities: object = { textDocument: { diagnostic: {} } }): Promise<void> {
    await this.connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities });
    await this.connection.sendNotification('initialized', {});
  }

  /** Milliseconds from opening a text to the response with its diagnostics. */
  async timeToDiagnostics(
    uri: string,
    languageId: string,
    text: string,
    { keepOpen = false }: { readonly keepOpen?: boolean } = {},
  ): Promise<number> {
    const start = performance.now();
    const textDocument = { uri, languageId, version: 1, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
    await this.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
    const took = performance.now() - start;
    if (!keepOpen) await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    return took;
  }

  dispose(): void {
    this.connection.dispose();
    this.#child.kill();
  }
}
