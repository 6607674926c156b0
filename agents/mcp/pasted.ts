import { readText } from '../../core/text/fields.ts';
import type { AgentConfig, AgentsFile, InputConfig } from '../config/agent-config.ts';
import { isList, membersOf, type JsonMember, type JsonNode } from '../config/json-node.ts';
import type { PastedReader, StartedProcess } from '../adding/pasted.ts';
import type { ShellCommand } from '../adding/split-words.ts';
import { readServer, readServers } from './servers-file.ts';

type Members = ReadonlyMap<string, JsonMember>;

/** The members in which programs list servers: Claude Desktop and Cursor, VS Code, Zed, OpenCode and others. */
const LISTS = ['mcpServers', 'servers', 'context_servers', 'mcp', 'mcp_servers'] as const;

/** What programs list about MCP servers. */
export const MCP_PASTED: PastedReader = {
  protocol: 'mcp',
  isUsualProcess: true,
  readJson(node) {
    const members = membersOf(node);
    const key = LISTS.find(each => members.get(each)?.node.value instanceof Map);
    if (key === 'mcp') {
      // The settings of VS Code have the file's content in a member.
      const inner = MCP_PASTED.readJson?.({ span: node.span, value: membersOf(members.get(key)?.node) });
      if (inner) return inner;
    }
    if (key !== undefined) return readServers(members, key);
    if (members.has('packages') || members.has('remotes')) return readRegistry(members);
    if (isServer(node)) {
      const name = textOf(members, 'name') ?? '';
      return readServer(name, { keySpan: node.span, node });
    }
    const entries = [...members];
    const areServers = entries.length > 0 && entries.every(([, member]) => isServer(member.node));
    return areServers
      ? readServers(new Map([['servers', { keySpan: node.span, node }]]), 'servers')
      : undefined;
  },
  readCommand,
  findAddress,
};

/** True for an object that says how a server is started or where it listens. */
function isServer(node: JsonNode): boolean {
  const members = membersOf(node);
  const command = members.get('command')?.node.value;
  if (typeof command === 'string') return true;
  // An agent card has a 'url', too.
  const isUrl = ['url', 'serverUrl', 'httpUrl'].some(key => textOf(members, key) !== undefined);
  return isUrl && !['skills', 'protocolVersion', 'capabilities', 'version'].some(key => members.has(key));
}

/** `claude mcp add …`, and the same command of other programs. */
function readCommand({ words, env }: ShellCommand): readonly AgentConfig[] | undefined {
  if (words[1] !== 'mcp' || !/^add(?:-json)?$/.test(words[2] ?? '')) return undefined;
  const variables = new Map(env);
  const headers = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 3; at < words.length; at++) {
    const word = words[at] ?? '';
    const [option = '', given] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
    const value = (): string => given ?? words[++at] ?? '';
    if (word === '--') {
      rest.push(...words.slice(at + 1));
      break;
    }
    if (rest.length > 1 && !/^(?:https?:|\{)/.test(rest[1] ?? '')) rest.push(word);
    else if (/^(?:-e|--env)$/.test(option)) split(value(), '=', variables);
    else if (/^(?:-H|--header)$/.test(option)) split(value(), ':', headers);
    else if (
      /^(?:-[ts]|--(?:transport|scope|type|client-id|callback-port|bearer-token-env-var))$/.test(option)
    )
      value();
    else if (option === '--url') rest.push(value());
    else if (!option.startsWith('-')) rest.push(word);
  }
  const [name = '', target = '', ...args] = rest;
  if (target === '') return undefined;
  const common = {
    name,
    protocol: 'mcp',
    inputs: new Map<string, InputConfig>(),
    span: { start: 0, end: 0 },
  } as const;
  if (/^https?:/i.test(target)) return [{ ...common, type: 'http', url: target, headers, tls: {} }];
  return [{ ...common, type: 'stdio', command: target, args, env: variables }];
}

function split(text: string, sign: string, into: Map<string, string>): void {
  const at = text.indexOf(sign);
  if (at > 0) into.set(text.slice(0, at).trim(), text.slice(at + 1).trim());
}

/** `mcp-remote URL` is a process that forwards to an address, which is called directly. */
function findAddress({
  command,
  args,
  env,
}: StartedProcess): ReturnType<NonNullable<PastedReader['findAddress']>> {
  const words = [command, ...args];
  const at = words.findIndex(word => /^(?:mcp-remote|@[\w-]+\/mcp-remote)(?:@.*)?$/.test(word));
  const url = at === -1 ? undefined : words.slice(at + 1).find(word => /^https?:\/\//.test(word));
  if (url === undefined) return undefined;
  const headers = new Map<string, string>();
  for (const [index, word] of words.entries())
    if (word === '--header') split(fill(words[index + 1] ?? '', env), ':', headers);
  return { type: 'http', url, headers };
}

/** Replaces the variables that the process would get: `Authorization:${AUTH}` with `AUTH` in its environment. */
function fill(text: string, env: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) => env.get(name) ?? whole);
}

/** A `server.json` of the MCP registry: its first remote, else its first package. */
function readRegistry(members: Members): AgentsFile {
  const name = (textOf(members, 'name') ?? '').replace(/^.*\//, '');
  const inputs = new Map<string, InputConfig>();
  const common = { name, protocol: 'mcp', inputs, span: { start: 0, end: 0 } } as const;
  const agents = new Map<string, AgentConfig>();
  for (const remote of listOf(members, 'remotes').map(membersOf)) {
    const url = textOf(remote, 'url');
    if (url === undefined || agents.size > 0) continue;
    agents.set(name, {
      ...common,
      type: 'http',
      url,
      headers: readValues(listOf(remote, 'headers')),
      tls: {},
    });
  }
  for (const each of listOf(members, 'packages').map(membersOf)) {
    const process = agents.size > 0 ? undefined : readPackage(each);
    if (process) agents.set(name, { ...common, type: 'stdio', ...process });
  }
  const span = { start: 0, end: 1 };
  const issues =
    agents.size > 0
      ? []
      : [{ span, message: 'This server.json has no package and no address that Parley can use' }];
  return { agents, inputs, issues };
}

/** The commands that run a package, by the registry that holds it. */
const RUNTIMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['npm', ['npx', '-y']],
  ['pypi', ['uvx']],
  ['oci', ['docker', 'run', '-i', '--rm']],
  ['docker', ['docker', 'run', '-i', '--rm']],
  ['nuget', ['dnx', '--yes']],
]);

function readPackage(
  members: Members,
): { command: string; args: readonly string[]; env: ReadonlyMap<string, string> } | undefined {
  const registry =
    textOf(members, 'registryType') ??
    textOf(members, 'registry_type') ??
    textOf(members, 'registry_name') ??
    '';
  const identifier = textOf(members, 'identifier') ?? textOf(members, 'name');
  const runtime = RUNTIMES.get(registry);
  if (identifier === undefined || !runtime) return undefined;
  const version = textOf(members, 'version');
  const variables = listOf(members, 'environmentVariables').concat(listOf(members, 'environment_variables'));
  const env = readValues(variables);
  const isImage = runtime[0] === 'docker';
  const join = registry === 'npm' || registry === 'nuget' ? '@' : isImage ? ':' : '==';
  const isNamed = version === undefined || version === 'latest' || identifier.includes(version);
  const [command = '', ...first] = runtime;
  return {
    command,
    args: [
      ...first,
      ...readArguments(listOf(members, 'runtimeArguments')),
      ...(isImage ? [...env.keys()].flatMap(each => ['-e', each]) : []),
      isNamed ? identifier : `${identifier}${join}${version}`,
      ...readArguments(listOf(members, 'packageArguments')),
    ],
    env,
  };
}

function readArguments(nodes: readonly JsonNode[]): readonly string[] {
  return nodes.flatMap(node => {
    const members = membersOf(node);
    const value = textOf(members, 'value') ?? textOf(members, 'default') ?? textOf(members, 'valueHint');
    const isNamed = textOf(members, 'type') === 'named';
    const name = isNamed ? textOf(members, 'name') : undefined;
    if (name === undefined) return value === undefined ? [] : [value];
    return value === undefined ? [name] : [name, value];
  });
}

/** Variables or headers of a registry: those that are required or have a value. One without a value is a placeholder. */
function readValues(nodes: readonly JsonNode[]): ReadonlyMap<string, string> {
  const found = nodes.map(membersOf).flatMap((members): readonly [string, string][] => {
    const name = textOf(members, 'name');
    const value = textOf(members, 'value') ?? textOf(members, 'default');
    const isNeeded =
      members.get('isRequired')?.node.value === true || members.get('isSecret')?.node.value === true;
    if (name === undefined || (value === undefined && !isNeeded)) return [];
    return [[name, (value ?? '').replace(/\{([\w-]+)\}/g, '<$1>')]];
  });
  return new Map(found);
}

function listOf(members: Members, key: string): readonly JsonNode[] {
  const node = members.get(key)?.node;
  return node && isList(node) ? node.value : [];
}

function textOf(members: Members, key: string): string | undefined {
  return readText(members.get(key)?.node.value);
}
