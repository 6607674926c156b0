import type { AgentType, ProtocolName } from '../../core/catalog/protocols.ts';
import { parseJsonc, type JsonMember, type JsonNode } from './json-node.ts';
import { applyEdits, modify } from 'jsonc-parser';
import { quote } from '../../core/text/quote.ts';
import { parseAgentsFile } from './agents-file.ts';

/** A new entry for an agents file. */
export interface NewAgent {
  readonly name: string;
  readonly protocol: ProtocolName;
  /** An address, or the command line of a process. */
  readonly place:
    | { readonly type: Extract<AgentType, 'http'>; readonly url: string }
    | {
        readonly type: Extract<AgentType, 'stdio'>;
        readonly command: string;
        readonly args: readonly string[];
      };
}

type AddedAgent =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

const EMPTY = `{
  // One entry for each agent. \${env:X}, \${secret:X} and \${input:X} stand for values that are not written here.
  "agents": {}
}
`;

/**
 * The text of an agents file with one more agent; comments and the layout of the rest are unchanged. An empty text
 * results in a new file. A file that is not valid JSON, and a name that is taken, are refused with a sentence.
 */
export function addAgent(text: string, { name, protocol, place }: NewAgent): AddedAgent {
  const before = text.trim() === '' ? EMPTY : text;
  const { node, issues } = parseJsonc(before);
  if (issues.length > 0)
    return { ok: false, message: 'The agents file is not valid JSON. Fix it first, then add the agent.' };
  if (parseAgentsFile(before).agents.has(name))
    return { ok: false, message: `The agents file has an agent ${quote(name)} already. Give another name.` };
  const { type, ...where } = place;
  const entry = { protocol, type, ...where };
  const last = findLast(node);
  const added =
    last === undefined ? insertFirst(before, name, entry) : insertAfter(before, last, name, entry);
  return { ok: true, text: added };
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

/** Splits a command line into its parts: quotes keep blanks together, and no other character is special. */
export function splitCommandLine(line: string): readonly string[] {
  const parts: string[] = [];
  for (const match of line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g))
    parts.push(
      match[0].replace(/"([^"]*)"|'([^']*)'/g, (_, one?: string, other?: string) => one ?? other ?? ''),
    );
  return parts;
}

/** The text of an agents file after an edit, or a sentence why it was not edited. */
export type HeaderEdit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/**
 * Sets a header of an agent in an agents file and replaces one of that name in any case. Everything else is
 * unchanged, including comments.
 */
export function addHeader(text: string, agent: string, name: string, value: string): HeaderEdit {
  const config = parseAgentsFile(text).agents.get(agent);
  if (config?.type !== 'http')
    return {
      ok: false,
      message: `The agent ${quote(agent)} has no headers: only an agent of type 'http' in the agents file does.`,
    };
  const known = [...config.headers.keys()].find(each => each.toLowerCase() === name.toLowerCase());
  const path = ['agents', agent, 'headers', known ?? name];
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return { ok: true, text: applyEdits(text, modify(text, path, value, { formattingOptions })) };
}
