import { defined } from '../../core/text/fields.ts';
import {
  AGENT_TYPES,
  PROTOCOLS,
  type AgentType,
  type ProtocolName,
  type StdioProtocolName,
} from '../../core/catalog/protocols.ts';
import { quote } from '../../core/text/quote.ts';
import type { Span } from '../../core/text/span.ts';
import {
  QUIRKS_OPTIONS,
  STDIO_MODES,
  type AgentConfig,
  type AgentsFile,
  type HttpAgentConfig,
  type InputConfig,
  type OAuthConfig,
  type StdioAgentConfig,
  type TlsConfig,
  checkUrl,
  findHeaderNameFault,
} from './agent-config.ts';
import { isList, parseJsonc, type JsonMember, type JsonNode } from './json-node.ts';
import { isBoolean, isNumber, isObject, isText, MemberReader, type Members } from './member-reader.ts';

/** The agents file of a workspace. */
export const AGENTS_FILE = '.vscode/agents.json';

/**
 * Reads `agents.json` (JSON with comments; schemas/agents.schema.json describes it). Never throws. Reports
 * each fault, or only the first one if the text is not valid JSON. An agent without a usable protocol or
 * address is left out; any other fault leaves out its own member, for example one header.
 */
export function parseAgentsFile(text: string): AgentsFile {
  const { node, issues: syntaxIssues } = parseJsonc(text);
  const file = new FileReader().read(node, { start: 0, end: Math.min(1, text.length) });
  // Later errors mostly result from the first error in the syntax, so only that is reported.
  const [first] = syntaxIssues;
  return first ? { ...file, issues: [first] } : file;
}

class FileReader {
  readonly #reader = new MemberReader();
  readonly #agents = new Map<string, AgentConfig>();
  readonly #inputs = new Map<string, InputConfig>();

  read(node: JsonNode | undefined, start: Span): AgentsFile {
    if (node?.value instanceof Map) {
      this.#reader.checkKeys(node.value, ['$schema', 'inputs', 'agents'], 'the file');
      for (const input of this.#reader.findList(node.value, 'inputs')) this.#readInput(input);
      const agents = this.#reader.find(node.value, 'agents', isObject, 'an object of agents by name');
      for (const [name, member] of agents?.value ?? []) {
        this.#reader.agent = name;
        this.#readAgent(name, member);
      }
    } else {
      this.#reader.report(node?.span ?? start, 'This should be an object such as {"agents":{}}');
    }
    return { agents: this.#agents, inputs: this.#inputs, issues: this.#reader.issues };
  }

  #readInput(node: JsonNode): void {
    if (!isObject(node)) {
      this.#reader.report(
        node.span,
        'An input should be an object such as {"id":"token","type":"promptString"}',
      );
      return;
    }
    this.#reader.checkKeys(node.value, INPUT_KEYS, 'an input');
    const type = this.#reader.find(node.value, 'type', isText, "'promptString'");
    if (type && type.value !== 'promptString')
      this.#reader.report(type.span, `The type ${quote(type.value)} is not known; use 'promptString'`);
    const id = this.#reader.find(node.value, 'id', isText, 'a text');
    if (!id) {
      if (!node.value.has('id')) this.#reader.report(node.span, "This input has no 'id'; add one");
      return;
    }
    const description = this.#reader.find(node.value, 'description', isText, 'a text')?.value;
    const isPassword = this.#reader.find(node.value, 'password', isBoolean, 'true or false')?.value === true;
    this.#inputs.set(id.value, { id: id.value, description: description ?? id.value, isPassword });
  }

  #readAgent(name: string, member: JsonMember): void {
    const { node, keySpan } = member;
    if (!isObject(node)) {
      this.#reader.report(
        node.span,
        `The agent ${quote(name)} should be an object such as {"protocol":"aicf","url":"http://…"}`,
      );
      return;
    }
    const protocol = this.#readProtocol(name, node.value, keySpan);
    const type = this.#readType(node.value, protocol);
    // Members that belong to another type of agent are not reported.
    if (!type) return;
    this.#reader.checkKeys(node.value, [...COMMON_KEYS, ...AGENT_KEYS[type]], `an agent of type '${type}'`);
    const own =
      type === 'http'
        ? this.#readHttp(name, node.value, keySpan)
        : this.#readStdio(name, node.value, keySpan);
    const common = defined({
      name,
      timeout: this.#readTimeout(node.value),
      inputs: this.#inputs,
      span: { start: keySpan.start, end: node.span.end },
    });
    if (!own || !protocol) return;
    if (own.type === 'http') this.#agents.set(name, { ...common, ...own, protocol });
    else if (isStdioProtocol(protocol)) this.#agents.set(name, { ...common, ...own, protocol });
  }

  #readHttp(name: string, members: Members, keySpan: Span): OwnMembers<HttpAgentConfig> | undefined {
    const url = this.#readUrl(name, members, keySpan);
    const headers = this.#readHeaders(members);
    const contentType = this.#reader.find(members, 'contentType', isText, 'a text')?.value;
    const tls = this.#readTls(members);
    const quirks = this.#reader.findOption(members, 'quirks', QUIRKS_OPTIONS);
    const model = this.#reader.find(members, 'model', isText, 'a text')?.value;
    const oauth = this.#readOAuth(members);
    if (url === undefined) return undefined;
    return defined({ type: 'http', url, headers, contentType, tls, quirks, model, oauth });
  }

  #readStdio(name: string, members: Members, keySpan: Span): OwnMembers<StdioAgentConfig> | undefined {
    const command = this.#reader.find(members, 'command', isText, 'a text');
    if (!members.has('command'))
      this.#reader.report(
        keySpan,
        `The agent ${quote(name)} has no 'command'; add the program that is started`,
      );
    if (command?.value.trim() === '')
      this.#reader.report(command.span, "The 'command' is empty; name the program that is started");
    const args: string[] = [];
    for (const each of this.#reader.findList(members, 'args')) {
      if (isText(each)) args.push(each.value);
      else this.#reader.report(each.span, 'An argument should be a text');
    }
    const env = this.#readEnv(members);
    const cwd = this.#reader.find(members, 'cwd', isText, 'the path of a folder')?.value;
    const mode = this.#reader.findOption(members, 'mode', STDIO_MODES);
    if (!command || command.value.trim() === '' || args.length < this.#countOf(members, 'args'))
      return undefined;
    return defined({ type: 'stdio', command: command.value, args, env, cwd, mode });
  }

  #countOf(members: Members, key: string): number {
    const node = members.get(key)?.node;
    // A member that is not a list counts as one with missing elements.
    return node === undefined ? 0 : isList(node) ? node.value.length : Infinity;
  }

  #readEnv(members: Members): ReadonlyMap<string, string> {
    const env = new Map<string, string>();
    const found = this.#reader.find(members, 'env', isObject, 'an object of texts by name');
    for (const [name, { keySpan, node }] of found?.value ?? []) {
      if (name === '' || /[=\0]/.test(name)) {
        this.#reader.report(
          keySpan,
          `${quote(name)} cannot be the name of an environment variable; remove '='`,
        );
      } else if (!isText(node)) {
        this.#reader.report(node.span, `The environment variable ${quote(name)} should be a text`);
      } else {
        env.set(name, node.value);
      }
    }
    return env;
  }

  #readProtocol(name: string, members: Members, keySpan: Span): ProtocolName | undefined {
    const found = this.#reader.find(members, 'protocol', isText, `one of ${PROTOCOL_NAMES}`);
    if (!members.has('protocol')) {
      this.#reader.report(
        keySpan,
        `The agent ${quote(name)} has no 'protocol'; add one of ${PROTOCOL_NAMES}`,
      );
    }
    if (!found) return undefined;
    const row = PROTOCOLS.find(each => each.name === found.value);
    if (row) return row.name;
    this.#reader.report(
      found.span,
      `The protocol ${quote(found.value)} is not a known protocol; use one of ${PROTOCOL_NAMES}`,
    );
    return undefined;
  }

  /** How the agent is reached; over HTTP by default. */
  #readType(members: Members, protocol: ProtocolName | undefined): AgentType | undefined {
    const found = this.#reader.find(members, 'type', isText, TYPE_NAMES);
    if (!found) return members.has('type') ? undefined : 'http';
    const type = AGENT_TYPES.find(each => each === found.value);
    const row = PROTOCOLS.find(each => each.name === protocol);
    if (!type) {
      this.#reader.report(found.span, `The type ${quote(found.value)} is not known; use ${TYPE_NAMES}`);
    } else if (row && !row.types.some(each => each === type)) {
      this.#reader.report(found.span, `The type ${quote(type)} does not go with ${row.title}; use 'http'`);
      return undefined;
    }
    return type;
  }

  #readUrl(name: string, members: Members, keySpan: Span): string | undefined {
    const url = this.#reader.find(members, 'url', isText, 'a text');
    if (!members.has('url'))
      this.#reader.report(keySpan, `The agent ${quote(name)} has no 'url'; add the address it listens at`);
    if (!url) return undefined;
    const fault = url.value.includes('${') ? undefined : checkUrl(url.value);
    if (fault !== undefined) this.#reader.report(url.span, fault);
    return fault === undefined ? url.value : undefined;
  }

  #readHeaders(members: Members): ReadonlyMap<string, string> {
    const headers = new Map<string, string>();
    const found = this.#reader.find(members, 'headers', isObject, 'an object of texts by name');
    for (const [name, { keySpan, node }] of found?.value ?? []) {
      const fault = findHeaderNameFault(name);
      if (fault !== undefined) {
        this.#reader.report(keySpan, fault);
      } else if (typeof node.value !== 'string') {
        this.#reader.report(node.span, `The header ${quote(name)} should be a text`);
      } else {
        headers.set(name, node.value);
      }
    }
    return headers;
  }

  #readOAuth(members: Members): OAuthConfig | undefined {
    const found = this.#reader.find(members, 'oauth', isObject, 'an object');
    if (!found) return undefined;
    this.#reader.checkKeys(found.value, OAUTH_KEYS, "'oauth'");
    const texts = OAUTH_KEYS.map(
      key => [key, this.#reader.find(found.value, key, isText, 'a text')?.value] as const,
    );
    return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
  }

  #readTimeout(members: Members): number | undefined {
    const timeout = this.#reader.find(members, 'timeout', isNumber, 'a number of seconds');
    if (!timeout || timeout.value > 0) return timeout?.value;
    this.#reader.report(timeout.span, "The 'timeout' should be more than 0 seconds");
    return undefined;
  }

  #readTls(members: Members): TlsConfig {
    const tls =
      this.#reader.find(members, 'tls', isObject, 'an object')?.value ?? new Map<string, JsonMember>();
    this.#reader.checkKeys(tls, ['ca', 'cert', 'key', 'allowSelfSigned'], "'tls'");
    return defined({
      ca: this.#reader.find(tls, 'ca', isText, 'the path of a PEM file')?.value,
      cert: this.#reader.find(tls, 'cert', isText, 'the path of a PEM file')?.value,
      key: this.#reader.find(tls, 'key', isText, 'the path of a PEM file')?.value,
      allowSelfSigned: this.#reader.find(tls, 'allowSelfSigned', isBoolean, 'true or false')?.value,
    });
  }
}

/** The members that an agent of one type has. */
type OwnMembers<Config extends AgentConfig> = Omit<
  Config,
  'name' | 'protocol' | 'timeout' | 'inputs' | 'span'
>;

const COMMON_KEYS = ['protocol', 'type', 'timeout'] as const;
const AGENT_KEYS = {
  http: ['url', 'headers', 'contentType', 'tls', 'quirks', 'model', 'oauth'],
  stdio: ['command', 'args', 'env', 'cwd', 'mode'],
} as const satisfies Record<AgentType, readonly string[]>;
const OAUTH_KEYS = ['clientId', 'clientSecret', 'scope'] as const;
const INPUT_KEYS = ['id', 'type', 'description', 'password'] as const;

const TYPE_NAMES = AGENT_TYPES.map(type => `'${type}'`).join(' or ');
const PROTOCOL_NAMES = PROTOCOLS.map(row => `'${row.name}'`).join(', ');

function isStdioProtocol(name: ProtocolName): name is StdioProtocolName {
  return PROTOCOLS.some(row => row.name === name && row.types.some(type => type === 'stdio'));
}
