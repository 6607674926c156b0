import type { AgentType, ProtocolName } from '../../core/catalog/protocols.ts';
import type { InputConfig } from './agent-config.ts';
import { isList, parseJsonc, type JsonMember, type JsonNode } from './json-node.ts';
import { applyEdits, modify, type JSONPath } from 'jsonc-parser';
import { quote } from '../../core/text/quote.ts';
import { parseAgentsFile } from './agents-file.ts';

/** Where an agent is: at an address, or a process that is started. Texts may contain variables. */
export type AgentPlace =
  | {
      readonly type: Extract<AgentType, 'http'>;
      readonly url: string;
      readonly headers?: ReadonlyMap<string, string>;
      readonly model?: string;
    }
  | {
      readonly type: Extract<AgentType, 'stdio'>;
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: ReadonlyMap<string, string>;
      readonly cwd?: string;
    };

/** A new entry for an agents file. */
export interface NewAgent {
  readonly name: string;
  readonly protocol: ProtocolName;
  readonly place: AgentPlace;
  /** The inputs that it names, which are added to those of the file. */
  readonly inputs?: readonly InputConfig[];
}

type AddedAgent =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

const EMPTY = `{
  // One entry for each agent. \${env:X}, \${secret:X} and \${input:X} refer to values that are not written here.
  "agents": {}
}
`;

/**
 * The text of an agents file with one more agent; comments and the layout of the rest are unchanged. An empty text
 * results in a new file. A file that is not valid JSON, and a name that is taken, are refused with a sentence.
 */
export function addAgent(text: string, { name, protocol, place, inputs = [] }: NewAgent): AddedAgent {
  const before = text.trim() === '' ? EMPTY : text;
  const { node, issues } = parseJsonc(before);
  if (issues.length > 0)
    return { ok: false, message: 'The agents file is not valid JSON. Fix it first, then add the agent.' };
  if (parseAgentsFile(before).agents.has(name))
    return { ok: false, message: `The agents file has an agent ${quote(name)} already. Give another name.` };
  const entry = toEntry(protocol, place);
  const last = findLast(node);
  const added =
    last === undefined ? insertFirst(before, name, entry) : insertAfter(before, last, name, entry);
  return { ok: true, text: inputs.reduce(addInput, added) };
}

/** The members of an entry, without those that are empty. */
function toEntry(protocol: ProtocolName, { type, ...where }: AgentPlace): object {
  const members = Object.entries(where).flatMap(([key, value]): readonly [string, unknown][] => {
    if (!(value instanceof Map)) return value === undefined ? [] : [[key, value]];
    return value.size === 0 ? [] : [[key, Object.fromEntries(value)]];
  });
  return { protocol, type, ...Object.fromEntries(members) };
}

/** Adds an input, unless the file has one with its id. */
function addInput(text: string, { id, description, isPassword }: InputConfig): string {
  if (parseAgentsFile(text).inputs.has(id)) return text;
  const input = { id, type: 'promptString', description, ...(isPassword ? { password: true } : {}) };
  const list = membersOf(parseJsonc(text).node)?.get('inputs')?.node;
  const at = list && isList(list) ? list.value.length : 0;
  return editAt(text, ['inputs', at], input, at > 0 || list !== undefined);
}

/** The index after the last agent of a file; undefined if it has none. */
function findLast(file: JsonNode | undefined): number | undefined {
  const agents = membersOf(membersOf(file)?.get('agents')?.node);
  return [...(agents?.values() ?? [])].at(-1)?.node.span.end;
}

function membersOf(node: JsonNode | undefined): ReadonlyMap<string, JsonMember> | undefined {
  return node?.value instanceof Map ? node.value : undefined;
}

/** Inserts below the line of the last agent, so that a comment at the end of that line stays there. */
function insertAfter(text: string, last: number, name: string, entry: object): string {
  const [rest = '', comma = ''] =
    /^[ \t]*(?:(,)[ \t]*)?(?:\/\/[^\r\n]*)?(?=[\r\n])/.exec(text.slice(last)) ?? [];
  const before = text.slice(0, last);
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const indent = /^[ \t]*/.exec(before.slice(lineStart))?.[0] ?? '';
  const at = last + rest.length;
  const line = `${lineEndOf(text)}${indent}${JSON.stringify(name)}: ${printEntry(entry)}`;
  return `${text.slice(0, last)}${comma === '' ? ',' : ''}${rest}${line}${text.slice(at)}`;
}

/** An entry on one line, as the file's template writes them. */
function printEntry(entry: object): string {
  const members = Object.entries(entry).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{ ${members.join(', ')} }`;
}

function insertFirst(text: string, name: string, entry: object): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const isTab = indent.startsWith('\t');
  const formattingOptions = {
    insertSpaces: !isTab,
    tabSize: isTab ? 1 : indent.length,
    eol: lineEndOf(text),
  };
  return applyEdits(text, modify(text, ['agents', name], entry, { formattingOptions }));
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The text of an agents file after an edit, or a sentence why it was not edited. */
export type FileEdit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/**
 * Sets a header of an agent in an agents file and replaces one of that name in any case. Everything else is
 * unchanged, including comments.
 */
export function addHeader(text: string, agent: string, name: string, value: string): FileEdit {
  const config = parseAgentsFile(text).agents.get(agent);
  if (config?.type !== 'http')
    return {
      ok: false,
      message: `The agent ${quote(agent)} has no headers: only an agent of type 'http' in the agents file does.`,
    };
  const known = [...config.headers.keys()].find(each => each.toLowerCase() === name.toLowerCase());
  const path = ['agents', agent, 'headers', known ?? name];
  return { ok: true, text: editAt(text, path, value) };
}

/** Renames an agent in an agents file. Everything else is unchanged, including comments. */
export function renameAgent(text: string, agent: string, name: string): FileEdit {
  const { agents } = parseAgentsFile(text);
  const member = membersOf(membersOf(parseJsonc(text).node)?.get('agents')?.node)?.get(agent);
  if (!member) return { ok: false, message: `The agents file has no agent ${quote(agent)}.` };
  if (agents.has(name)) return { ok: false, message: `There is an agent ${quote(name)} already.` };
  const { start, end } = member.keySpan;
  return { ok: true, text: `${text.slice(0, start)}${JSON.stringify(name)}${text.slice(end)}` };
}

/** Removes an agent from an agents file. Everything else is unchanged. */
export function removeAgent(text: string, agent: string): FileEdit {
  const member = membersOf(membersOf(parseJsonc(text).node)?.get('agents')?.node)?.get(agent);
  if (!member) return { ok: false, message: `The agents file has no agent ${quote(agent)}.` };
  return { ok: true, text: editAt(text, ['agents', agent], undefined) };
}

/** Sets members of an agent in an agents file; undefined removes one. Everything else is unchanged. */
export function changeAgent(
  text: string,
  agent: string,
  members: Readonly<Record<string, string | undefined>>,
): FileEdit {
  if (!membersOf(membersOf(parseJsonc(text).node)?.get('agents')?.node)?.has(agent))
    return { ok: false, message: `The agents file has no agent ${quote(agent)}.` };
  const changed = Object.entries(members).reduce(
    (before, [key, value]) => editAt(before, ['agents', agent, key], value),
    text,
  );
  return { ok: true, text: changed };
}

function editAt(text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: lineEndOf(text) };
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }));
}
