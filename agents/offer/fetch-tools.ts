import { printForAgent } from '../../protocols/convert/calls/agent-json.ts';
import { listsTools, writeAsked } from '../../protocols/convert/calls/asked-request.ts';
import { nameOfTool, pickTool } from '../../protocols/convert/calls/picked-tool.ts';
import { isPublished, openReply } from '../../protocols/convert/calls/published.ts';
import { Report } from '../../core/message/report.ts';
import { readJsonPieces } from '../../language/values/json-reader.ts';
import { DEEP_MESSAGE } from '../../language/values/json-messages.ts';
import { DEEPEST } from '../../core/text/depth.ts';
import { declaredTools, readDeclaration } from '../../protocols/tools/tool-schema.ts';
import type { ToolTable } from '../../language/tools.ts';
import { message, type Message } from '../../core/message/message.ts';
import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import {
  withoutProgress,
  type Connection,
  type Outgoing,
  type Reply,
  type WireListener,
} from '../connection.ts';
import { isUnreached } from '../unreached.ts';
import type { OfferedTool } from './offer.ts';

export type FetchedTools =
  | { readonly ok: true; readonly tools: readonly OfferedTool[]; readonly table: ToolTable }
  | {
      readonly ok: false;
      readonly reason: string;
      /** What came of asking where the agent was not reached: another request would end the same way. */
      readonly unreached?: Reply;
    };

/** So many tools are asked about one by one where a list holds nothing but names. */
const MOST_DESCRIBED = 200;
/** So many pages of a list are asked for. */
const MOST_PAGES = 100;

const TOO_DEEP = `the list of tools is nested deeper than ${DEEPEST} levels; what is deeper in a schema is shown as a text of JSON`;

const NO_TOOLS: ToolTable = { isComplete: false, tools: new Map() };

/**
 * Asks an agent for its tools, in its own protocol. Where the list holds nothing but names, as that of AICF does, it is
 * asked about each. `reason` is a sentence for a person.
 */
export async function fetchTools(
  connection: Connection,
  request: Pick<Outgoing, 'timeout' | 'redactor'>,
  listener: WireListener,
  signal: AbortSignal,
): Promise<FetchedTools> {
  if (!listsTools(connection.protocol))
    return {
      ok: false,
      reason: `Agents of ${connection.protocol.facts.title} do not list their tools`,
    };
  const quiet = withoutProgress(listener);
  const ask = (asked: Message, text?: string): Promise<Asked> =>
    askFor({ asked, text }, connection, request, quiet, signal);
  const listed = await listAll(connection, ask, listener);
  if (!listed.ok) return listed;
  const described: Message[] = [...listed.messages];
  const values = described.flatMap(listTools);
  const twice = findTwice(values.map(nameOfTool));
  if (twice !== undefined) listener.note(twice);
  if (connection.protocol.calls.describesEach) {
    if (values.length > MOST_DESCRIBED)
      listener.note(
        `of ${values.length} tools the first ${MOST_DESCRIBED} are asked for their arguments; the others are known by name`,
      );
    for (const value of values.slice(0, MOST_DESCRIBED)) {
      const name = nameOfTool(value);
      if (signal.aborted) break;
      const told = await ask(message('describe', { tool: textValue(name) }));
      // One that is not described is known by its name.
      if (told.ok) described.push(...told.messages);
    }
  }
  const declarations = described.flatMap(({ fields }) => (fields.declaration ? [fields.declaration] : []));
  const tools = values.map(value =>
    toOffered(declarations.find(each => nameOfTool(each) === nameOfTool(value)) ?? value),
  );
  const table = declaredTools(described);
  const isComplete = table.isComplete && !isPublished(connection.protocol, 'list');
  return { ok: true, tools, table: { ...table, isComplete } };
}

/** All pages of a list: MCP cuts a long one, and names where the next page begins. */
async function listAll(
  { agent }: Connection,
  ask: (asked: Message, text?: string) => Promise<Asked>,
  listener: WireListener,
): Promise<Asked> {
  const pages: Message[] = [];
  const cursors = new Set<string>();
  for (let text: string | undefined; ;) {
    const listed = await ask(message('list', {}), text);
    if (!listed.ok) return listed;
    const page = listed.messages.find(({ fields }) => fields.tools?.kind === 'list');
    if (!page) return { ok: false, reason: `${agent} did not answer with a list of tools` };
    pages.push(page);
    if (listed.isCut) listener.note(TOO_DEEP);
    const cursor = readCursor(page);
    // A server that names a page again would be asked for ever.
    const isEndless = cursor !== undefined && (cursors.has(cursor) || pages.length === MOST_PAGES);
    if (isEndless)
      listener.note(`the list of tools goes on after page ${pages.length}, and is not read further`);
    if (cursor === undefined || isEndless) return { ok: true, messages: pages, isCut: false };
    cursors.add(cursor);
    text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } });
  }
}

/** Where the next page begins (MCP, "Pagination"). */
function readCursor({ fields }: Message): string | undefined {
  return textIn(findEntry(findEntry(findEntry(fields.rest, 'mcp'), 'result'), 'nextCursor'));
}

/** The sentence about names that several tools have; undefined where each has its own. */
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

type Asked =
  | {
      readonly ok: true;
      readonly messages: readonly Message[];
      /** True where what is nested too deep was not read. */
      readonly isCut: boolean;
    }
  | { readonly ok: false; readonly reason: string; readonly unreached?: Reply };

/** What is asked, and its text where it is another one than that of the message. */
interface Question {
  readonly asked: Message;
  readonly text: string | undefined;
}

async function askFor(
  { asked, text }: Question,
  connection: Connection,
  request: Pick<Outgoing, 'timeout' | 'redactor'>,
  listener: WireListener,
  signal: AbortSignal,
): Promise<Asked> {
  const { protocol } = connection;
  const { timeout, redactor } = request;
  const outgoing = {
    wireText: text ?? writeAsked(asked, protocol, NO_TOOLS).text,
    ...(timeout === undefined ? {} : { timeout }),
    ...(redactor === undefined ? {} : { redactor }),
  };
  const reply = await connection.send(outgoing, listener, signal);
  if (reply.status !== 'ok') {
    const reason = reply.message ?? `${connection.agent} did not answer`;
    return isUnreached(reply) ? { ok: false, reason, unreached: reply } : { ok: false, reason };
  }
  const report = new Report();
  const reader = openReply(asked.kind, protocol, NO_TOOLS, report);
  const messages = [...reader.push(reply.text), ...reader.end()];
  if (isPublished(protocol, asked.kind)) for (const note of report.notes) listener.note(note.message);
  if (reader.isProtocol)
    return {
      ok: true,
      messages: messages.map(read => pickTool(asked, read, protocol)),
      isCut: readJsonPieces(reply.text).faults.some(fault => fault.message === DEEP_MESSAGE),
    };
  return {
    ok: false,
    reason: `The answer of ${connection.agent} is no message of ${protocol.facts.title}`,
  };
}

function toOffered(value: Value): OfferedTool {
  const schema =
    findEntry(value, 'inputSchema') ?? findEntry(value, 'parameters') ?? findEntry(value, 'input_schema');
  return {
    name: nameOfTool(value),
    description: textIn(findEntry(value, 'description')) ?? '',
    declaration: readDeclaration(value),
    schema: schema && printForAgent(schema),
  };
}
