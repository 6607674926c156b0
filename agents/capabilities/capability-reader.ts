import { NOT_SENT } from '../../core/events/events.ts';
import { message } from '../../core/message/message.ts';
import { NO_TOOLS, type ListedItem } from '../../language/tools.ts';
import { isPublished } from '../../protocols/convert/calls/answer.ts';
import { listsTools, writeConverted } from '../../protocols/convert/calls/convertible-request.ts';
import type { ItemList, Protocol, Protocols } from '../../protocols/protocol.ts';
import { recogniseRequest } from '../../protocols/recognise/request.ts';
import {
  withoutProgress,
  withSend,
  type Outgoing,
  type Peer,
  type Reply,
  type WireListener,
} from '../connection.ts';
import type { PooledConnection } from '../connection-pool.ts';

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
    // A reply outside the protocol, for example a web server's page, is not the agent's. A request that was not sent,
    // because the agent says that it has no list, is none.
    if (!fetched.ok && last && !last.isProtocol && last.code !== NOT_SENT) return last;
    if (signal.aborted) return { status: 'cancelled', text: '', isProtocol: false };
    const items: ListedItem[] = [];
    for (const list of connection.protocol.calls.itemLists ?? [])
      if (this.peer?.capabilities?.includes(list.capability))
        items.push(...(await this.#list(list, request, listener, signal)));
    this.#resources = items.filter(({ kind }) => kind !== 'prompt');
    this.#prompts = items.filter(({ kind }) => kind === 'prompt');
    this.#problem = fetched.ok ? undefined : fetched.reason;
    return { status: 'ok', text: '', isProtocol: true, isRefused: !fetched.ok };
  }

  async #list(
    list: ItemList,
    request: Outgoing,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<readonly ListedItem[]> {
    const found: ListedItem[] = [];
    let cursor: string | undefined;
    for (let count = 0; count < MAX_PAGES && !signal.aborted; count++) {
      const reply = await this.#pooled.connection.send(
        { ...request, wireText: list.writeRequest(cursor) },
        withoutProgress(listener),
        signal,
      );
      const page = reply.status === 'ok' ? list.readPage(reply.text) : undefined;
      if (!page) {
        listener.note(`${list.method} did not return a list`);
        break;
      }
      found.push(...page.items);
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
    return found;
  }
}

/** The title of the request for an agent's tools, as recognised on the wire: `tools/list`, `LIST`. */
export function titleOfListing(protocol: Protocol, protocols: Protocols): string {
  const { text } = writeConverted(message('list', {}), protocol, NO_TOOLS);
  const [method = '', path = ''] = isPublished(protocol, 'list') ? text.split(/\s+/) : ['POST', '/'];
  return recogniseRequest({ method, path, headers: [], text, known: protocol.facts.name }, protocols).title;
}

/** Why agents of a protocol are not asked for their tools; undefined if they are. */
export function describeUnlisted(protocol: Protocol): string | undefined {
  if (listsTools(protocol)) return undefined;
  return `Agents of ${protocol.facts.title} do not list their tools; send one a task`;
}
