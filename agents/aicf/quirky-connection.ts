import { fieldSource } from '../../language/aicf/ast.ts';
import { readLine } from '../../language/aicf/parse.ts';
import { readToolDeclaration } from '../../language/aicf/tools.ts';
import type { ToolDeclaration } from '../../language/tools.ts';
import { quote } from '../../core/text/quote.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import {
  withSend,
  type Connection,
  type Outgoing,
  type Reply,
  type Sender,
  type WireListener,
} from '../connection.ts';
import { holdBack } from '../warnings.ts';
import { Greeting } from '../greeting.ts';
import { writeForQuirks, type QuirkyRequest, type TypedArgument } from './quirks.ts';

/**
 * An AICF connection that adapts to the quirks of the running AIP server (`aip-2`; reading of AICF-RPC 2.3), as the
 * agent's option `quirks` requires. `auto` detects the server once, by asking for a tool that no server has. It does so
 * before the first request that such a server would misread, so that other requests need no detection.
 */
export function mindQuirks(connection: Connection, agent: ResolvedHttpAgent): Connection {
  if (agent.quirks === 'off') return connection;
  const sender = new QuirkySender(connection, agent);
  return withSend(connection, (...request) => sender.send(...request));
}

/** The error names the missing tool, which shows whether the server strips backslashes. */
const PROBE = 'INFO|a\\nb';

class QuirkySender implements Sender {
  readonly #inner: Connection;
  readonly #quirks: 'on' | 'auto';
  readonly #advice: string;
  readonly #greeting: Greeting<'aip-2' | 'plain'>;
  readonly #tools = new Map<string, Greeting<ToolDeclaration | undefined>>();
  readonly #timeout: number | undefined;

  constructor(inner: Connection, agent: ResolvedHttpAgent) {
    this.#inner = inner;
    this.#quirks = agent.quirks === 'on' ? 'on' : 'auto';
    const twin = quote(new URL(TWIN_PATH, agent.url).href);
    this.#advice = `its JSON-RPC endpoint takes it: set the agent's "protocol" to "json-rpc" and its "url" to ${twin}`;
    this.#timeout = agent.timeout;
    this.#greeting = this.#ask(PROBE, ({ text }) => (/\banb\b/.test(text) ? 'aip-2' : 'plain'));
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const written = writeForQuirks(request.wireText);
    const { text, warnings, typed } = written;
    if (text === request.wireText && warnings.length === 0 && typed.length === 0)
      return this.#inner.send(request, listener, signal);
    let left = request;
    if (this.#quirks === 'auto') {
      const greeted = await this.#greeting.before(request, listener, signal);
      if (!greeted.ok) return greeted.reply;
      left = greeted.request;
      if (this.#greeting.answer !== 'aip-2') return this.#inner.send(left, listener, signal);
    }
    return this.#sendWritten(left, written, listener, signal);
  }

  async #sendWritten(
    request: Outgoing,
    { text, warnings, typed }: QuirkyRequest,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<Reply> {
    const declared = typed.length > 0 ? await this.#findTool(request, listener, signal) : undefined;
    if (declared && !declared.ok) return declared.reply;
    const misread = typed.flatMap(argument => describeMisread(argument, declared?.tool));
    const reported = [...warnings, ...misread].map(warning => `${warning}; ${this.#advice}`);
    const held = holdBack(reported, request.warningPolicy, listener);
    if (held) return held;
    if (text !== request.wireText)
      listener.note(
        'The request is written for this server, which unescapes twice and types arguments itself (aip-2)',
      );
    return this.#inner.send({ ...request, wireText: text }, listener, signal);
  }

  /** The arguments of the called tool; the server is asked once. */
  async #findTool(
    request: Outgoing,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<
    | { readonly ok: true; readonly tool: ToolDeclaration | undefined }
    | { readonly ok: false; readonly reply: Reply }
  > {
    const question = `INFO|${fieldSource(request.wireText, readLine(request.wireText), 0)}`;
    const { text } = writeForQuirks(question);
    const greeting = this.#tools.get(text) ?? this.#ask(text, readTool);
    this.#tools.set(text, greeting);
    const greeted = await greeting.before(request, listener, signal);
    return greeted.ok ? { ok: true, tool: greeting.answer } : greeted;
  }

  #ask<Answer>(text: string, read: (reply: Reply) => Answer): Greeting<Answer> {
    return new Greeting({
      text: () => text,
      read,
      send: (request, listener, signal) => this.#inner.send(request, listener, signal),
      timeout: this.#timeout,
    });
  }
}

/** The path of the JSON-RPC endpoint of an AIP server. */
const TWIN_PATH = '/aip/v1/rpc';

function readTool({ text }: Reply): ToolDeclaration | undefined {
  const reported = text.trimEnd();
  const line = readLine(reported);
  return line.command === 'TOOL' ? readToolDeclaration(reported, line) : undefined;
}

function describeMisread(
  { place, text, becomes }: TypedArgument,
  tool: ToolDeclaration | undefined,
): readonly string[] {
  const argument = tool?.arguments[place];
  if (argument?.type !== 'string') return [];
  return [
    `this server would read ${quote(text)} as ${becomes}, and ${quote(argument.name)} is of type 'string'`,
  ];
}
