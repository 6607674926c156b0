import { readJsonPieces } from '../../language/values/json-reader.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { listTemplateVariables } from '../../core/text/uri-template.ts';
import {
  withoutProgress,
  withSend,
  type Outgoing,
  type Peer,
  type Reply,
  type WireListener,
} from '../connection.ts';
import type { PooledConnection } from '../connection-pool.ts';

/** A resource, a template of resources or a prompt, as the agent describes it. */
export interface ListedItem {
  readonly kind: 'resource' | 'template' | 'prompt';
  readonly name: string;
  readonly description: string;
  /** The URI of a resource or template, or the arguments of a prompt. */
  readonly detail: string;
  /** The variables of a template, or the arguments of a prompt. */
  readonly parameters: readonly ItemParameter[];
}

/** A variable of a template, or an argument of a prompt. All of them are texts. */
export interface ItemParameter {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
}

/** The maximum number of pages of a list that are requested. */
const MAX_PAGES = 50;

/**
 * Asks an agent for all its capabilities, as one request of a connection, so that they are traced as one
 * call. Afterwards, the retained connection knows the tools, and this object has the rest. Never throws.
 */
export class CapabilityReader {
  readonly #pooled: PooledConnection;
  #resources: readonly ListedItem[] = [];
  #prompts: readonly ListedItem[] = [];
  #problem: string | undefined;

  constructor(pooled: PooledConnection) {
    this.#pooled = pooled;
  }

  get peer(): Peer | undefined {
    return this.#pooled.connection.peer;
  }

  get resources(): readonly ListedItem[] {
    return this.#resources;
  }

  /** Why an agent that was reached did not list its tools; undefined if it did. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get prompts(): readonly ListedItem[] {
    return this.#prompts;
  }

  /** The text of the request is not read. It is no failure if the agent was reached and does not list its tools. */
  async read(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const { connection, tools } = this.#pooled;
    const answers: Reply[] = [];
    const observed = withSend(connection, async (...args) => {
      const reply = await connection.send(...args);
      answers.push(reply);
      return reply;
    });
    const fetched = await tools.refresh(observed, request, listener, signal);
    const last = answers.at(-1);
    // A reply outside the protocol, for example a web server's page, is not the agent's.
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
    const { kind, method, member, capability } = MCP_LISTS[what];
    const found: ListedItem[] = [];
    if (this.peer?.capabilities?.includes(capability) !== true) return found;
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && !signal.aborted; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const wireText = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const reply = await this.#pooled.connection.send(
        { ...request, wireText },
        withoutProgress(listener),
        signal,
      );
      const result = findResult(reply.text);
      const listed = findEntry(result, member);
      if (reply.status !== 'ok' || listed?.kind !== 'list') {
        listener.note(`${method} did not return a list`);
        break;
      }
      found.push(...listed.items.map(item => toItem(item, kind)));
      cursor = textIn(findEntry(result, 'nextCursor'));
      if (cursor === undefined) break;
    }
    return found;
  }
}

type McpList = 'resources' | 'templates' | 'prompts';

const MCP_LISTS = {
  resources: { kind: 'resource', method: 'resources/list', member: 'resources', capability: 'resources' },
  templates: {
    kind: 'template',
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    capability: 'resources',
  },
  prompts: { kind: 'prompt', method: 'prompts/list', member: 'prompts', capability: 'prompts' },
} as const satisfies Record<
  McpList,
  { kind: ListedItem['kind']; method: string; member: string; capability: string }
>;

/** The result in a JSON-RPC reply, which is JSON or events. */
function findResult(text: string): Value | undefined {
  for (const { value } of readJsonPieces(text).pieces) {
    const result = findEntry(value, 'result');
    if (result) return result;
  }
  return undefined;
}

function toItem(value: Value, kind: ListedItem['kind']): ListedItem {
  const uri = textIn(findEntry(value, 'uri')) ?? textIn(findEntry(value, 'uriTemplate')) ?? '';
  const name = textIn(findEntry(value, 'name')) ?? uri;
  const description = textIn(findEntry(value, 'description')) ?? textIn(findEntry(value, 'title')) ?? '';
  const parameters = kind === 'template' ? listTemplateVariables(uri).map(toVariable) : listArguments(value);
  return { kind, name, description, detail: kind === 'prompt' ? showArguments(parameters) : uri, parameters };
}

function toVariable(name: string): ItemParameter {
  return { name, description: '', isRequired: true };
}

function listArguments(prompt: Value): readonly ItemParameter[] {
  const declared = findEntry(prompt, 'arguments');
  if (declared?.kind !== 'list') return [];
  return declared.items.map(item => {
    const required = findEntry(item, 'required');
    return {
      name: textIn(findEntry(item, 'name')) ?? '',
      description: textIn(findEntry(item, 'description')) ?? '',
      isRequired: required?.kind === 'bool' && required.bool,
    };
  });
}

/** Prints the arguments of a prompt in the form of a tool's signature. */
function showArguments(parameters: readonly ItemParameter[]): string {
  const names = parameters.map(({ name, isRequired }) => `${name}${isRequired ? '' : '?'}`);
  return names.length === 0 ? '' : `(${names.join(', ')})`;
}
