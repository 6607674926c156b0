import { PLANNED_PROTOCOLS, PROTOCOLS, type ProtocolName } from '../../../protocol/src/catalog/protocols.ts';
import { quote } from '../../../protocol/src/text/quote.ts';
import { findSimilar } from '../../../protocol/src/text/similar.ts';
import type { Span } from '../../../protocol/src/text/span.ts';
import type { AgentConfig, AgentsFile, ConfigIssue, InputConfig, TlsConfig } from './agent-config.ts';
import { parseJsonc, type JsonMember, type JsonNode } from './json-node.ts';

/** Where a workspace keeps its agents. */
export const AGENTS_FILE = '.vscode/agents.json';

/**
 * Reads `agents.json` (JSON with comments; schemas/agents.schema.json describes it). Never throws, and
 * reports each fault, or the first one alone where the text is no JSON. An agent without a protocol or an address that can be used is left out; any other fault leaves out
 * what it is in, such as one header.
 */
export function parseAgentsFile(text: string): AgentsFile {
  const { node, issues: syntaxIssues } = parseJsonc(text);
  const file = new FileReader().read(node, { start: 0, end: Math.min(1, text.length) });
  // What follows a slip in the syntax mostly follows from it: the first one says all.
  const [first] = syntaxIssues;
  return first ? { ...file, issues: [first] } : file;
}

type Members = ReadonlyMap<string, JsonMember>;

/** A value with its place, for messages about it. */
interface Found<Value> {
  readonly value: Value;
  readonly span: Span;
}

class FileReader {
  readonly #issues: ConfigIssue[] = [];
  readonly #agents = new Map<string, AgentConfig>();
  readonly #inputs = new Map<string, InputConfig>();
  /** The agent that is being read. */
  #agent: string | undefined;

  read(node: JsonNode | undefined, start: Span): AgentsFile {
    if (node?.value instanceof Map) {
      this.#checkKeys(node.value, ['$schema', 'inputs', 'agents'], 'the file');
      for (const input of this.#findList(node.value, 'inputs')) this.#readInput(input);
      const agents = this.#find(node.value, 'agents', isObject, 'an object of agents by name');
      for (const [name, member] of agents?.value ?? []) {
        this.#agent = name;
        this.#readAgent(name, member);
      }
    } else {
      this.#report(node?.span ?? start, 'This should be an object such as {"agents":{}}');
    }
    return { agents: this.#agents, inputs: this.#inputs, issues: this.#issues };
  }

  #readInput(node: JsonNode): void {
    if (!isObject(node)) {
      this.#report(node.span, 'An input should be an object such as {"id":"token","type":"promptString"}');
      return;
    }
    this.#checkKeys(node.value, INPUT_KEYS, 'an input');
    const type = this.#find(node.value, 'type', isText, "'promptString'");
    if (type && type.value !== 'promptString')
      this.#report(type.span, `The type ${quote(type.value)} is not known; use 'promptString'`);
    const id = this.#find(node.value, 'id', isText, 'a text');
    if (!id) {
      if (!node.value.has('id')) this.#report(node.span, "This input has no 'id'; add one");
      return;
    }
    const description = this.#find(node.value, 'description', isText, 'a text')?.value;
    const isPassword = this.#find(node.value, 'password', isBoolean, 'true or false')?.value === true;
    this.#inputs.set(id.value, { id: id.value, description: description ?? id.value, isPassword });
  }

  #readAgent(name: string, member: JsonMember): void {
    const { node, keySpan } = member;
    if (!isObject(node)) {
      this.#report(
        node.span,
        `The agent ${quote(name)} should be an object such as {"protocol":"aicf","url":"http://…"}`,
      );
      return;
    }
    const protocol = this.#readProtocol(name, node.value, keySpan);
    const isHttp = this.#checkType(name, node.value);
    // What belongs to another type of agent is no slip.
    if (isHttp) this.#checkKeys(node.value, AGENT_KEYS, 'an agent');
    const url = isHttp ? this.#readUrl(name, node.value, keySpan) : undefined;
    const headers = this.#readHeaders(node.value);
    const timeout = this.#readTimeout(node.value);
    const contentType = this.#find(node.value, 'contentType', isText, 'a text')?.value;
    const tls = this.#readTls(node.value);
    if (!protocol || url === undefined) return;
    this.#agents.set(name, {
      name,
      protocol,
      type: 'http',
      url,
      headers,
      ...(timeout === undefined ? {} : { timeout }),
      ...(contentType === undefined ? {} : { contentType }),
      tls,
      inputs: this.#inputs,
      span: { start: keySpan.start, end: node.span.end },
    });
  }

  #readProtocol(name: string, members: Members, keySpan: Span): ProtocolName | undefined {
    const found = this.#find(members, 'protocol', isText, `one of ${PROTOCOL_NAMES}`);
    if (!members.has('protocol')) {
      this.#report(keySpan, `The agent ${quote(name)} has no 'protocol'; add one of ${PROTOCOL_NAMES}`);
    }
    if (!found) return undefined;
    const row = PROTOCOLS.find(each => each.name === found.value);
    if (row) return row.name;
    const planned = PLANNED_PROTOCOLS.some(each => each.name === found.value);
    const what = planned ? 'is not spoken by this version' : 'is no known protocol';
    this.#report(found.span, `The protocol ${quote(found.value)} ${what}; use one of ${PROTOCOL_NAMES}`);
    return undefined;
  }

  /** True where the agent is reached over HTTP; `type` may be left out then. */
  #checkType(name: string, members: Members): boolean {
    const type = this.#find(members, 'type', isText, "'http'");
    if (!type) return !members.has('type');
    if (type.value === 'http') return true;
    const what =
      type.value === 'stdio'
        ? `The agent ${quote(name)} is a process (stdio), which this version cannot start; use an agent of type 'http'`
        : `The type ${quote(type.value)} is not known; use 'http'`;
    this.#report(type.span, what);
    return false;
  }

  #readUrl(name: string, members: Members, keySpan: Span): string | undefined {
    const url = this.#find(members, 'url', isText, 'a text');
    if (!members.has('url'))
      this.#report(keySpan, `The agent ${quote(name)} has no 'url'; add the address it listens at`);
    if (!url) return undefined;
    const fault = url.value.includes('${') ? undefined : checkUrl(url.value);
    if (fault !== undefined) this.#report(url.span, fault);
    return fault === undefined ? url.value : undefined;
  }

  #readHeaders(members: Members): ReadonlyMap<string, string> {
    const headers = new Map<string, string>();
    const found = this.#find(members, 'headers', isObject, 'an object of texts by name');
    for (const [name, { keySpan, node }] of found?.value ?? []) {
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
        this.#report(keySpan, `${quote(name)} cannot be a header's name; use letters, digits and hyphens`);
      } else if (typeof node.value !== 'string') {
        this.#report(node.span, `The header ${quote(name)} should be a text`);
      } else {
        headers.set(name, node.value);
      }
    }
    return headers;
  }

  #readTimeout(members: Members): number | undefined {
    const timeout = this.#find(members, 'timeout', isNumber, 'a number of seconds');
    if (!timeout || timeout.value > 0) return timeout?.value;
    this.#report(timeout.span, "The 'timeout' should be more than 0 seconds");
    return undefined;
  }

  #readTls(members: Members): TlsConfig {
    const tls = this.#find(members, 'tls', isObject, 'an object')?.value ?? new Map<string, JsonMember>();
    this.#checkKeys(tls, ['ca', 'cert', 'key', 'allowSelfSigned'], "'tls'");
    const ca = this.#find(tls, 'ca', isText, 'the path of a PEM file')?.value;
    const cert = this.#find(tls, 'cert', isText, 'the path of a PEM file')?.value;
    const key = this.#find(tls, 'key', isText, 'the path of a PEM file')?.value;
    const allowSelfSigned = this.#find(tls, 'allowSelfSigned', isBoolean, 'true or false')?.value;
    return {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(allowSelfSigned === undefined ? {} : { allowSelfSigned }),
    };
  }

  /** A member of the wanted type; undefined where it is missing, and where it has another type, which is reported. */
  #find<Value extends JsonNode['value']>(
    members: Members,
    key: string,
    fits: (node: JsonNode) => node is JsonNode & { readonly value: Value },
    wanted: string,
  ): Found<Value> | undefined {
    const node = members.get(key)?.node;
    if (!node) return undefined;
    if (fits(node)) return { value: node.value, span: node.span };
    this.#report(node.span, `'${key}' should be ${wanted}`);
    return undefined;
  }

  #findList(members: Members, key: string): readonly JsonNode[] {
    return this.#find(members, key, isList, 'a list')?.value ?? [];
  }

  /** A key that nobody reads is mostly a slip; it is reported and harms nothing else. */
  #checkKeys(members: Members, known: readonly string[], where: string): void {
    for (const [key, { keySpan }] of members) {
      if (known.includes(key)) continue;
      const similar = findSimilar(key, known);
      const advice = similar
        ? `did you mean '${similar}'?`
        : `known are ${known.map(each => `'${each}'`).join(', ')}`;
      this.#report(keySpan, `${quote(key)} is not known in ${where}; ${advice}`);
    }
  }

  #report(span: Span, message: string): void {
    const agent = this.#agent;
    this.#issues.push(
      agent === undefined ? { span, message } : { span, message: nameAgent(agent, message), agent },
    );
  }
}

/** A message that says which agent it is about, unless it begins with that already. */
function nameAgent(agent: string, message: string): string {
  const name = `The agent ${quote(agent)}`;
  if (message.startsWith(`${name} `)) return message;
  return `${name}: ${message.replace(/^[A-Z]/, first => first.toLowerCase())}`;
}

const AGENT_KEYS = ['protocol', 'type', 'url', 'headers', 'timeout', 'contentType', 'tls'] as const;
const INPUT_KEYS = ['id', 'type', 'description', 'password'] as const;

const PROTOCOL_NAMES = PROTOCOLS.map(row => `'${row.name}'`).join(', ');

/** Why an address cannot be an agent's; undefined where it can. The message shows it as it is written, variables and all. */
export function checkUrl(url: string, written = url): string | undefined {
  if (!URL.canParse(url))
    return `${quote(written)} is not an address; write one such as http://localhost:65001/aip/v1/aicf`;
  if (/^https?:$/.test(new URL(url).protocol)) return undefined;
  return `The address ${quote(written)} should begin with http:// or https://`;
}

function isObject(node: JsonNode): node is JsonNode & { readonly value: Members } {
  return node.value instanceof Map;
}

function isList(node: JsonNode): node is JsonNode & { readonly value: readonly JsonNode[] } {
  return Array.isArray(node.value);
}

function isText(node: JsonNode): node is JsonNode & { readonly value: string } {
  return typeof node.value === 'string';
}

function isNumber(node: JsonNode): node is JsonNode & { readonly value: number } {
  return typeof node.value === 'number';
}

function isBoolean(node: JsonNode): node is JsonNode & { readonly value: boolean } {
  return typeof node.value === 'boolean';
}
