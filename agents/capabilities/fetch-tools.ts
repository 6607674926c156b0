import { printForAgent } from '../../language/values/json-printer.ts';
import { listsTools, writeConverted } from '../../protocols/convert/calls/convertible-request.ts';
import { nameOfTool, pickTool, isPublished, openReply } from '../../protocols/convert/calls/answer.ts';
import { DEEP_MESSAGE } from '../../language/values/fault-list.ts';
import { DEEPEST } from '../../core/text/json.ts';
import { declaredTools, readDeclaration } from '../../protocols/tools/tool-schema.ts';
import type { DescribedTool, ToolTable } from '../../language/tools.ts';
import { message, type Message } from '../../core/message/message.ts';
import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { countOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import {
  withoutProgress,
  type Connection,
  type Outgoing,
  type Reply,
  type WireListener,
} from '../connection.ts';
import { TakenMessages } from '../taken-messages.ts';
import { isUnreachable } from '../unreachable.ts';

/** The tools that an agent describes, or the reason why they are unknown. */
export type FetchedTools =
  | { readonly ok: true; readonly tools: readonly DescribedTool[]; readonly table: ToolTable }
  | {
      readonly ok: false;
      readonly reason: string;
      /** The reply to the request if the agent was not reached: another request would end the same way. */
      readonly unreachable?: Reply;
    };

/** The members of a request that the requests for the agent's tools share with it, such as the names of its trace. */
export type ListRequest = Pick<Outgoing, (typeof SHARED)[number]>;

const SHARED = ['timeout', 'redactor', 'headers', 'names', 'session', 'source'] as const;

function pickListRequest(request: ListRequest): ListRequest {
  return Object.fromEntries(SHARED.flatMap(name => (name in request ? [[name, request[name]]] : [])));
}

/** The maximum number of tools that are described one by one, if a list contains only names. */
const MAX_DESCRIBED = 200;
/** The maximum number of pages of a list that are requested. */
const MAX_PAGES = 100;

const TOO_DEEP = `the list of tools is nested deeper than ${DEEPEST} levels; what is deeper in a schema is shown as a text of JSON`;

const NO_TOOLS: ToolTable = { isComplete: false, tools: new Map() };

/**
 * Asks an agent for its tools, in its own protocol. If the list contains only names, as in AICF, each tool is
 * asked for separately. `reason` is a sentence for the user.
 */
export async function fetchTools(
  connection: Connection,
  request: ListRequest,
  listener: WireListener,
  signal: AbortSignal,
): Promise<FetchedTools> {
  if (!listsTools(connection.protocol))
    return {
      ok: false,
      reason: `Agents of ${connection.protocol.facts.title} do not list their tools`,
    };
  const quiet = withoutProgress(listener);
  const ask = (query: Message, text?: string): Promise<RequestResult> =>
    askFor({ query, text }, connection, request, quiet, signal);
  const listed = await listAll(connection, ask, listener);
  if (!listed.ok) return listed;
  const described: Message[] = [...listed.messages];
  const all = described.flatMap(listTools);
  const values = all.filter(value => nameOfTool(value) !== '');
  const nameless = all.length - values.length;
  if (nameless > 0)
    listener.note(
      `${countOf(nameless, 'tool of the list has', 'tools of the list have')} no name, so that nobody can call them; they are left out`,
    );
  const twice = findTwice(values.map(nameOfTool));
  if (twice !== undefined) listener.note(twice);
  if (connection.protocol.calls.describesEach) {
    if (values.length > MAX_DESCRIBED)
      listener.note(
        `of ${values.length} tools the first ${MAX_DESCRIBED} were queried for their arguments; only the names of the others are known`,
      );
    for (const value of values.slice(0, MAX_DESCRIBED)) {
      const name = nameOfTool(value);
      if (signal.aborted) break;
      const reported = await ask(message('describe', { tool: textValue(name) }));
      // A tool without a description is known by its name.
      if (reported.ok) described.push(...reported.messages);
    }
  }
  const declarations = described.flatMap(({ fields }) => (fields.declaration ? [fields.declaration] : []));
  const tools = values.map(value =>
    toDescribedTool(declarations.find(each => nameOfTool(each) === nameOfTool(value)) ?? value),
  );
  const table = declaredTools(described);
  const isComplete = table.isComplete && !isPublished(connection.protocol, 'list');
  return { ok: true, tools, table: { ...table, isComplete } };
}

/** All pages of a list: MCP splits a long one and names the start of the next page. */
async function listAll(
  { agent, protocol }: Connection,
  ask: (query: Message, text?: string) => Promise<RequestResult>,
  listener: WireListener,
): Promise<RequestResult> {
  const pages: Message[] = [];
  const requested = new Set<string>();
  for (let text: string | undefined; ;) {
    const listed = await ask(message('list', {}), text);
    if (!listed.ok) return listed;
    const page = listed.messages.find(({ fields }) => fields.tools?.kind === 'list');
    if (!page) return { ok: false, reason: `${agent} did not return a list of tools` };
    pages.push(page);
    if (listed.isCut) listener.note(TOO_DEEP);
    const next = protocol.calls.nextPage?.(page);
    // A server that names a page twice would be asked forever.
    const isEndless = next !== undefined && (requested.has(next) || pages.length === MAX_PAGES);
    if (isEndless)
      listener.note(`the list of tools continues after page ${pages.length}, and is not read further`);
    if (next === undefined || isEndless) return { ok: true, messages: pages, isCut: false };
    requested.add(next);
    text = next;
  }
}

/** The sentence about names that several tools share; undefined if each has its own. */
function findTwice(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const name of names) (seen.has(name) ? twice : seen).add(name);
  const [first] = twice;
  if (first === undefined) return undefined;
  const more = twice.size === 1 ? '' : ` and ${twice.size - 1} more`;
  return `the list of tools has ${quote(first)}${more} more than once; which of them a call reaches is the agent's choice`;
}

function listTools({ fields }: Message): readonly Value[] {
  return fields.tools?.kind === 'list' ? fields.tools.items : [];
}

type RequestResult =
  | {
      readonly ok: true;
      readonly messages: readonly Message[];
      /** True if parts that are nested too deep were not read. */
      readonly isCut: boolean;
    }
  | { readonly ok: false; readonly reason: string; readonly unreachable?: Reply };

/** The message to send, and its text if that is not the printed message. */
interface Question {
  readonly query: Message;
  readonly text: string | undefined;
}

async function askFor(
  { query, text }: Question,
  connection: Connection,
  request: ListRequest,
  listener: WireListener,
  signal: AbortSignal,
): Promise<RequestResult> {
  const { protocol } = connection;
  const wireText = text ?? writeConverted(query, protocol, NO_TOOLS).text;
  const outgoing = { ...pickListRequest(request), wireText, isConverted: true };
  const taken = new TakenMessages(protocol);
  const reply = await connection.send(outgoing, { ...listener, messages: taken }, signal);
  if (reply.status !== 'ok') {
    const reason = reply.message ?? `${connection.agent} did not answer`;
    return isUnreachable(reply) ? { ok: false, reason, unreachable: reply } : { ok: false, reason };
  }
  // The connection does not read a document that the agent publishes.
  if (isPublished(protocol, query.kind)) {
    const reader = openReply(query.kind, protocol, taken);
    taken.take([...reader.push(reply.text), ...reader.end()]);
  }
  const { messages, report } = taken;
  for (const note of report.notes) listener.note(note.message);
  if (messages.length > 0)
    return {
      ok: true,
      messages: messages.map(read => pickTool(query, read, protocol)),
      isCut: report.losses.some(loss => loss.message === DEEP_MESSAGE),
    };
  return {
    ok: false,
    reason: `The answer of ${connection.agent} is not a message of ${protocol.facts.title}`,
  };
}

function toDescribedTool(value: Value): DescribedTool {
  const schema =
    findEntry(value, 'inputSchema') ?? findEntry(value, 'parameters') ?? findEntry(value, 'input_schema');
  return {
    name: nameOfTool(value),
    description: textIn(findEntry(value, 'description')) ?? '',
    declaration: readDeclaration(value),
    inputSchema: schema,
    schema: schema && printForAgent(schema),
    value,
  };
}
