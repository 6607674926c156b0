import { readText } from '../../core/text/fields.ts';
import {
  checkUrl,
  type AgentConfig,
  type AgentsFile,
  type ConfigIssue,
  type InputConfig,
  findHeaderNameFault,
} from '../config/agent-config.ts';
import { isList, membersOf, parseJsonc, type JsonMember, type JsonNode } from '../config/json-node.ts';
import { quote } from '../../core/text/quote.ts';
import type { Span } from '../../core/text/span.ts';

/** VS Code's file for the MCP servers of a folder. */
export const MCP_FILE = '.vscode/mcp.json';

type Members = ReadonlyMap<string, JsonMember>;

/**
 * Reads the servers of VS Code's `mcp.json` as MCP agents. Never throws. Servers without a usable address or
 * command are reported and left out; other content is ignored, because the file belongs to VS Code.
 */
export function readMcpFile(text: string): AgentsFile {
  const { node, issues } = parseJsonc(text);
  const file = readServers(membersOf(node), 'servers');
  // Only the first syntax error is reported, because later ones usually follow from it.
  const [first] = issues;
  return first ? { ...file, issues: [first] } : file;
}

/** Reads the servers in a member of a file, and the inputs of the file. Never throws. */
export function readServers(file: Members, key: string): AgentsFile {
  return new McpFileReader().read(file, membersOf(file.get(key)?.node));
}

/** Reads one server, in the form of VS Code's `mcp.json`. Never throws. */
export function readServer(name: string, member: JsonMember): AgentsFile {
  return new McpFileReader().read(new Map(), new Map([[name, member]]));
}

class McpFileReader {
  readonly #issues: ConfigIssue[] = [];
  readonly #agents = new Map<string, AgentConfig>();
  readonly #inputs = new Map<string, InputConfig>();

  read(file: Members, servers: Members): AgentsFile {
    for (const input of listOf(file.get('inputs'))) this.#readInput(membersOf(input));
    for (const [name, member] of servers) this.#readServer(name, member);
    return { agents: this.#agents, inputs: this.#inputs, issues: this.#issues };
  }

  #readInput(members: Members): void {
    const id = textOf(members.get('id'));
    // Only VS Code can run an input command. A server that uses such an input is reported as lacking its value.
    if (id === undefined || textOf(members.get('type')) === 'command') return;
    const options = listOf(members.get('options')).flatMap(({ value }) =>
      typeof value === 'string' ? [value] : [],
    );
    const choice = options.length === 0 ? '' : ` (one of ${options.map(each => quote(each)).join(', ')})`;
    const isPassword = members.get('password')?.node.value === true;
    const description = `${textOf(members.get('description')) ?? id}${choice}`;
    this.#inputs.set(id, { id, description, isPassword });
  }

  #readServer(name: string, member: JsonMember): void {
    const { keySpan, node } = member;
    const members = membersOf(node);
    const type = readType(members);
    const common = {
      name,
      protocol: 'mcp',
      inputs: this.#inputs,
      span: { start: keySpan.start, end: node.span.end },
    } as const;
    if (type === 'stdio') {
      const command = textOf(members.get('command'));
      if (command === undefined || command.trim() === '') {
        this.#report(name, keySpan, "has no 'command'; add the program that is started");
        return;
      }
      const envFile = members.get('envFile');
      if (envFile)
        this.#report(
          name,
          envFile.keySpan,
          "has an 'envFile', which is not read here; write its variables into 'env'",
        );
      const args = this.#readArguments(name, members.get('args'));
      if (!args) return;
      const cwd = textOf(members.get('cwd'));
      this.#agents.set(name, {
        ...common,
        type: 'stdio',
        command,
        args,
        env: this.#readTexts(members.get('env')),
        ...(cwd === undefined ? {} : { cwd }),
      });
    } else if (type === 'http' || type === 'sse') {
      const address = members.get('url') ?? members.get('serverUrl') ?? members.get('httpUrl');
      const url = textOf(address);
      const fault = url === undefined || url.includes('${') ? undefined : checkUrl(url);
      if (url === undefined || fault !== undefined) {
        const span = address?.node.span ?? keySpan;
        this.#report(
          name,
          span,
          fault ? `cannot be reached: ${fault}` : "has no 'url'; add the address it listens at",
        );
        return;
      }
      const headers = this.#readHeaders(name, members.get('headers'));
      this.#agents.set(name, { ...common, type: 'http', url, headers, tls: {} });
    } else {
      const span = members.get('type')?.node.span ?? keySpan;
      this.#report(
        name,
        span,
        `has the type ${quote(type)}, which is not known; use 'stdio', 'http' or 'sse'`,
      );
    }
  }

  /** Returns undefined if an argument is not a string, because the program would behave differently without it. */
  #readArguments(name: string, member: JsonMember | undefined): readonly string[] | undefined {
    const args: string[] = [];
    for (const { value, span } of listOf(member)) {
      if (typeof value !== 'string') {
        this.#report(name, span, 'has an argument that is not a text; write it as a text');
        return undefined;
      }
      args.push(value);
    }
    return args;
  }

  #readHeaders(agent: string, member: JsonMember | undefined): ReadonlyMap<string, string> {
    const headers = new Map(this.#readTexts(member));
    for (const [name, { keySpan }] of membersOf(member?.node)) {
      const fault = findHeaderNameFault(name);
      if (fault === undefined) continue;
      headers.delete(name);
      this.#report(agent, keySpan, `has a header that is not sent: ${fault}`);
    }
    return headers;
  }

  /** Strings by name. As in VS Code, numbers count as strings, and null removes a variable. */
  #readTexts(member: JsonMember | undefined): ReadonlyMap<string, string> {
    const texts = [...membersOf(member?.node)].flatMap(([name, { node }]): readonly [string, string][] =>
      typeof node.value === 'string' || typeof node.value === 'number' ? [[name, String(node.value)]] : [],
    );
    return new Map(texts);
  }

  #report(agent: string, span: Span, fault: string): void {
    this.#issues.push({ span, message: `The MCP server ${quote(agent)} ${fault}`, agent });
  }
}

/** `stdio`, `http` or `sse`; other programs write the last two in other ways, and have no type for a command. */
function readType(members: Members): string {
  const type = textOf(members.get('type')) ?? textOf(members.get('transport'));
  if (type === undefined) return members.has('command') ? 'stdio' : 'http';
  if (/^(?:local|command)$/.test(type)) return 'stdio';
  return /^(?:streamable[-_]?http|http-?stream|remote)$/i.test(type) ? 'http' : type;
}

function listOf(member: JsonMember | undefined): readonly JsonNode[] {
  return member && isList(member.node) ? member.node.value : [];
}

function textOf(member: JsonMember | undefined): string | undefined {
  return readText(member?.node.value);
}
