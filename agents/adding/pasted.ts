import { defined } from '../../core/text/fields.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import type { Protocols } from '../../protocols/protocol.ts';
import { checkUrl, type AgentConfig, type AgentsFile, type InputConfig } from '../config/agent-config.ts';
import type { AgentPlace } from '../config/edit-agents-file.ts';
import { parseJsonc, type JsonNode } from '../config/json-node.ts';
import { readCurlCommand } from './curl.ts';
import { protectPlace, type HasVariable } from './protect.ts';
import { readShellCommand, type ShellCommand } from './split-words.ts';
import { isRunner, nameFound, suggestName } from './suggest-name.ts';
import { tomlToJson } from './toml.ts';

/** An agent that was pasted, with a proposed name. */
export interface PastedAgent {
  readonly name: string;
  /** Undefined for an address whose protocol must be found out there. */
  readonly protocol: ProtocolName | undefined;
  readonly place: AgentPlace;
  /** The inputs that it names. */
  readonly inputs: readonly InputConfig[];
  /** Credentials that were pasted, by the names of the secrets that replace them in `place`. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** What a pasted text holds: agents, or why it holds none. Both are empty for a text that is something else. */
export interface Pasted {
  readonly agents: readonly PastedAgent[];
  /** Each is a sentence. */
  readonly problems: readonly string[];
}

/** A process as it would be started. */
export interface StartedProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
}

/** Reads what other programs list or publish about the agents of a protocol. */
export interface PastedReader {
  readonly protocol: ProtocolName;
  /** Reads a JSON object, or the members of one that were pasted without their braces; undefined for any other. */
  readonly readJson?: (node: JsonNode) => AgentsFile | undefined;
  /** Reads a command of another program that adds an agent; undefined for any other command. */
  readonly readCommand?: (command: ShellCommand) => readonly AgentConfig[] | undefined;
  /** The address that a process forwards to; undefined for any other process. */
  readonly findAddress?: (process: StartedProcess) => (AgentPlace & { readonly type: 'http' }) | undefined;
  /** True for the protocol of a process of which nothing else is known. */
  readonly isUsualProcess?: true;
}

/** What reading a pasted text depends on. */
export interface PasteContext {
  readonly protocols: Protocols;
  readonly readers: readonly PastedReader[];
  /** The names of known agents. */
  readonly taken: ReadonlySet<string>;
  readonly platform: string;
  readonly hasVariable: HasVariable;
}

/**
 * Reads agents from what a user has: an address, a command line, a cURL, or JSON of another program, with comments,
 * in a code block, or without its outer braces. Never throws; nothing is started or sent.
 */
export function readPasted(text: string, context: PasteContext): Pasted {
  const plain = unfence(text);
  if (plain === '') return NOTHING;
  if (/^(?:\{|\[\s*[{["\]]|"[^"\n]*"\s*:)/.test(plain)) return readJson(plain, context);
  const json = /\n/.test(plain) || plain.startsWith('[') ? tomlToJson(plain) : undefined;
  if (json !== undefined) return readJson(json, context);
  const address = readAddress(plain);
  if (address !== undefined) return finish([toHttp(address)], context);
  const command = readShellCommand(plain);
  if (!command) return isCommandLike(plain) ? { agents: [], problems: [NEEDS_SHELL] } : NOTHING;
  const curl = readCurlCommand(command, context.protocols);
  if (curl) return finish([curl], context);
  for (const reader of context.readers) {
    const configs = reader.readCommand?.(command);
    if (configs) return finish(configs.map(toFound), context);
  }
  if (!isCommandLike(plain)) return NOTHING;
  return finish([toProcess(command, context)], context);
}

/** Names an agent after what it calls itself, if its address does not name it. */
export function nameAfter<Agent extends PastedAgent>(
  agent: Agent,
  reported: string,
  taken: ReadonlySet<string>,
): Agent {
  return { ...agent, name: nameFound(agent.name, reported, taken) };
}

const NOTHING: Pasted = { agents: [], problems: [] };
const NEEDS_SHELL =
  'This command needs a shell, because it holds a pipe or another operator. Write it into a script, and paste the command that runs the script.';

/** An agent as it was read, before its credentials are replaced and its name is chosen. */
export interface FoundAgent {
  /** Empty if the text names none. */
  readonly name: string;
  readonly protocol: ProtocolName | undefined;
  readonly place: AgentPlace;
  readonly inputs?: readonly InputConfig[];
}

/** The text without a code fence and white space around it. */
function unfence(text: string): string {
  const plain = text.replace(/^\u{feff}/u, '').trim();
  const fence = /^```[\w-]*(?=\s)/.exec(plain)?.[0];
  const isFenced = fence !== undefined && plain.endsWith('```');
  return isFenced ? plain.slice(fence.length, -3).trim() : plain.replace(/^`([^`]+)`$/, '$1').trim();
}

/** An address, with the scheme that a text such as `localhost:3000/mcp` leaves out. */
function readAddress(text: string): string | undefined {
  if (/\s/.test(text)) return undefined;
  if (/^https?:\/\/./i.test(text)) return checkUrl(text) === undefined ? text : undefined;
  const isHost = /^(?:localhost|\[[\da-f:]+\]|[\w-]+(?:\.[\w-]+)*)(?::\d{2,5})(?:\/\S*)?$/i.test(text);
  return isHost ? `http://${text}` : undefined;
}

function toHttp(url: string): FoundAgent {
  return { name: '', protocol: undefined, place: { type: 'http', url } };
}

/** True for a text that begins like a command: with a program that runs others, a path, or a word before options. */
function isCommandLike(text: string): boolean {
  const words = text
    .replace(/^(?:[$>%#]\s+)?(?:(?:export|set|env)\s+)?(?:[A-Za-z_]\w*=\S*\s+|&&\s*)*/, '')
    .split(/\s+/);
  const [first = ''] = words;
  if (isRunner(first) || first === 'cd') return words.length > 1;
  const isPath =
    /^["']?(?:[.~]?[\\/]|[A-Za-z]:[\\/]|\$\{)/.test(first) || /\.(?:exe|cmd|sh|[cm]?js|py)$/i.test(first);
  return isPath || (words.length > 1 && words.some(word => /^--?\w/.test(word)));
}

function toProcess({ words, env, cwd }: ShellCommand, { readers, platform }: PasteContext): FoundAgent {
  const [command = '', ...args] = unwrap(words, platform);
  const place = defined({ type: 'stdio', command, args, env, cwd });
  return { name: '', protocol: readers.find(({ isUsualProcess }) => isUsualProcess)?.protocol, place };
}

/** Removes `cmd /c`, which only Windows needs to start scripts such as `npx`. */
function unwrap(words: readonly string[], platform: string): readonly string[] {
  const isWrapped = /^cmd(?:\.exe)?$/i.test(words[0] ?? '') && /^\/c$/i.test(words[1] ?? '');
  return isWrapped && platform !== 'win32' && words.length > 2 ? words.slice(2) : words;
}

function readJson(text: string, context: PasteContext): Pasted {
  const whole = parseJsonc(text);
  // A fragment from the middle of a file has no braces around it.
  const braced = whole.issues.length === 0 ? whole : parseJsonc(`{${text.replace(/,\s*$/, '')}}`);
  const { node, issues } = braced.issues.length === 0 ? braced : whole;
  const [issue] = issues;
  if (issue) return { agents: [], problems: [`${issue.message}.`] };
  for (const { readJson: read } of context.readers) {
    const file = node && read?.(node);
    if (!file) continue;
    const { agents, problems } = finish([...file.agents.values()].map(toFound), context);
    return { agents, problems: [...problems, ...file.issues.map(({ message }) => `${message}.`)] };
  }
  return { agents: [], problems: [NO_AGENT] };
}

const NO_AGENT =
  'This JSON describes no agent. Paste an object with "mcpServers" or "servers", an entry of one, a server.json or an agent card.';

function toFound(config: AgentConfig): FoundAgent {
  const { name, protocol, inputs } = config;
  const used = [...inputs.values()].filter(({ id }) => printConfig(config).includes(`\${input:${id}}`));
  const place: AgentPlace =
    config.type === 'http'
      ? defined({ type: 'http', url: config.url, headers: config.headers, model: config.model })
      : defined({
          type: 'stdio',
          command: config.command,
          args: config.args,
          env: config.env,
          cwd: config.cwd,
        });
  return { name, protocol, place, inputs: used };
}

function printConfig(config: AgentConfig): string {
  return config.type === 'http'
    ? JSON.stringify([config.url, [...config.headers]])
    : JSON.stringify([config.command, config.args, [...config.env], config.cwd]);
}

function finish(found: readonly FoundAgent[], context: PasteContext): Pasted {
  const taken = new Set(context.taken);
  const agents = found.map(each => {
    const { protocol, place: written, inputs = [], name: given } = simplify(each, context);
    const name = suggestName(written, taken, given);
    taken.add(name);
    const { place, secrets } = protectPlace(written, name, context.hasVariable);
    return { name, protocol, place, inputs, secrets };
  });
  return { agents, problems: [] };
}

function simplify(found: FoundAgent, { readers, platform }: PasteContext): FoundAgent {
  const { protocol, place } = found;
  if (place.type !== 'stdio') return found;
  const [command = '', ...args] = unwrap([place.command, ...place.args], platform);
  const reader = readers.find(each => each.protocol === protocol);
  const plain: FoundAgent = { ...found, place: { ...place, command, args } };
  const process = { command, args, env: place.env ?? new Map<string, string>() };
  const url = reader?.findAddress?.(process);
  return url ? { ...found, place: url } : plain;
}
