import { listsTools } from '../../protocols/convert/calls/asked-request.ts';
import { readJsonPieces } from '../../language/values/json-reader.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import {
  withoutProgress,
  withSend,
  type Outgoing,
  type Peer,
  type Reply,
  type WireListener,
} from '../connection.ts';
import type { KeptConnection } from '../kept-connections.ts';

/** A resource or a prompt as an agent describes it. */
interface ListedItem {
  readonly name: string;
  readonly description: string;
  /** The URI of a resource, or what a prompt takes. */
  readonly detail: string;
}

/** Lists are asked for page by page, at most so many pages. */
const MOST_PAGES = 50;

/**
 * Asks an agent for all that it offers, as one request of a connection: whoever tracks it sees one call with all that was
 * on the wire. Afterwards the tools are known to the kept connection, and the rest stands here. Never throws.
 */
export class OfferReader {
  readonly #kept: KeptConnection;
  #resources: readonly ListedItem[] = [];
  #prompts: readonly ListedItem[] = [];
  #problem: string | undefined;

  constructor(kept: KeptConnection) {
    this.#kept = kept;
  }

  get peer(): Peer | undefined {
    return this.#kept.connection.peer;
  }

  get resources(): readonly ListedItem[] {
    return this.#resources;
  }

  /** Why an agent that was reached did not tell its tools; undefined where it did. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get prompts(): readonly ListedItem[] {
    return this.#prompts;
  }

  /** The text of the request is not read. An agent that was reached and did not tell its tools is no failure. */
  async read(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const { connection, tools } = this.#kept;
    const answers: Reply[] = [];
    const observed = withSend(connection, async (...asked) => {
      const reply = await connection.send(...asked);
      answers.push(reply);
      return reply;
    });
    const fetched = await tools.refresh(observed, request, listener, signal);
    const last = answers.at(-1);
    // What is no message of its protocol, such as a web server's page, is not the agent.
    if (!fetched.ok && last && !last.isProtocol) return last;
    if (signal.aborted) return { status: 'cancelled', text: '', isProtocol: false };
    if (connection.protocol.calls.listsMore) {
      const list = (what: McpList): Promise<readonly ListedItem[]> =>
        this.#list(what, request, listener, signal);
      this.#resources = [...(await list('resources')), ...(await list('templates'))];
      this.#prompts = await list('prompts');
    }
    this.#problem = fetched.ok ? undefined : fetched.reason;
    return { status: 'ok', text: '', isProtocol: true };
  }

  async #list(
    what: McpList,
    request: Outgoing,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<readonly ListedItem[]> {
    const { method, member, capability } = MCP_LISTS[what];
    const found: ListedItem[] = [];
    if (this.peer?.capabilities?.includes(capability) !== true) return found;
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES && !signal.aborted; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const wireText = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const reply = await this.#kept.connection.send(
        { ...request, wireText },
        withoutProgress(listener),
        signal,
      );
      const result = findResult(reply.text);
      const listed = findEntry(result, member);
      if (reply.status !== 'ok' || listed?.kind !== 'list') {
        listener.note(`${method} was not answered with a list`);
        break;
      }
      found.push(...listed.items.map(toItem));
      cursor = textIn(findEntry(result, 'nextCursor'));
      if (cursor === undefined) break;
    }
    return found;
  }
}

type McpList = 'resources' | 'templates' | 'prompts';

const MCP_LISTS = {
  resources: { method: 'resources/list', member: 'resources', capability: 'resources' },
  templates: { method: 'resources/templates/list', member: 'resourceTemplates', capability: 'resources' },
  prompts: { method: 'prompts/list', member: 'prompts', capability: 'prompts' },
} as const satisfies Record<McpList, { method: string; member: string; capability: string }>;

/** Why agents of a protocol are not asked for their tools; undefined where they are. */
export function describeUnlisted(protocol: Protocol): string | undefined {
  if (listsTools(protocol)) return undefined;
  return `Agents of ${protocol.facts.title} do not list their tools; send one a task`;
}

/** The result of a JSON-RPC reply, as JSON or as events. */
function findResult(text: string): Value | undefined {
  for (const { value } of readJsonPieces(text).pieces) {
    const result = findEntry(value, 'result');
    if (result) return result;
  }
  return undefined;
}

function toItem(value: Value): ListedItem {
  const uri = textIn(findEntry(value, 'uri')) ?? textIn(findEntry(value, 'uriTemplate'));
  const name = textIn(findEntry(value, 'name')) ?? uri ?? '';
  const description = textIn(findEntry(value, 'description')) ?? textIn(findEntry(value, 'title')) ?? '';
  return { name, description, detail: uri ?? listArguments(findEntry(value, 'arguments')) };
}

/** What a prompt takes, as a tool's signature shows it. */
function listArguments(declared: Value | undefined): string {
  if (declared?.kind !== 'list') return '';
  const names = declared.items.map(item => {
    const required = findEntry(item, 'required');
    const isRequired = required?.kind === 'bool' && required.bool;
    return `${textIn(findEntry(item, 'name')) ?? ''}${isRequired ? '' : '?'}`;
  });
  return names.length === 0 ? '' : `(${names.join(', ')})`;
}
