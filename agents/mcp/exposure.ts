import { quote } from '../../core/text/quote.ts';
import type { Span } from '../../core/text/span.ts';
import {
  isList,
  measureDepth,
  membersOf,
  parseJsonc,
  type JsonMember,
  type JsonNode,
} from '../config/json-node.ts';

/** A name in the file, with its position. */
interface Named {
  readonly name: string;
  readonly span: Span;
}

/** Which tools an agent exposes to other agents, according to its `agent.json`. */
export interface Exposure {
  /** `all` means `*` in the file. */
  readonly exposed: 'all' | readonly Named[];
  readonly private: readonly Named[];
  /** The position for findings that belong to no name. */
  readonly place: Span;
}

/** A fault of the exposure, at a position in the file. */
export interface ExposureIssue {
  readonly span: Span;
  readonly severity: 'error' | 'warning' | 'hint';
  readonly message: string;
}

/** What a connected agent advertises. */
export interface Advertised {
  readonly agent: string;
  readonly tools: readonly string[];
}

export interface CheckedExposure {
  /** The names of the agent in the file: its id and its name. */
  readonly names: readonly string[];
  readonly issues: readonly ExposureIssue[];
}

/**
 * Checks which tools an `agent.json` of OpenStarry exposes (OpenStarry inter-agent MCP, section 2.2): a tool in neither
 * list is not exposed, one in both is an error. `find` returns what the agent with these names advertises, if it is
 * connected. Undefined for a file without an exposure or with invalid JSON. A file that is too large or nested too deeply
 * is not parsed, and that is its only issue. Never throws.
 */
export function checkExposure(
  text: string,
  find: (names: readonly string[]) => Advertised | undefined,
): CheckedExposure | undefined {
  const { node, issues: faults, isParsed } = parseJsonc(text);
  if (!isParsed) return { names: [], issues: faults.map(fault => ({ ...fault, severity: 'warning' })) };
  const file = membersOf(node);
  const exposure = findExposure(file);
  if (!exposure) return undefined;
  const identity = membersOf(file.get('identity')?.node);
  const names = ['id', 'name'].flatMap(key => textOf(identity.get(key)?.node) ?? []);
  const advertised = find(names);
  const issues = [...checkLists(exposure), ...(advertised ? compare(exposure, advertised) : [])];
  return { names, issues };
}

/** The exposure in the text of an `agent.json`; undefined for a text that has none or cannot be read. */
export function readExposure(text: string): Exposure | undefined {
  const { node, isParsed } = parseJsonc(text);
  return isParsed ? findExposure(membersOf(node)) : undefined;
}

/** True if other agents may call a tool: it must be exposed, and not private. Without an exposure, none is exposed. */
export function isExposed(exposure: Exposure | undefined, tool: string): boolean {
  if (!exposure || exposure.private.some(({ name }) => name === tool)) return false;
  return exposure.exposed === 'all' || exposure.exposed.some(({ name }) => name === tool);
}

type Members = ReadonlyMap<string, JsonMember>;

/** True for JSON whose values nest deeper than a number of levels. */
export function isDeeper(text: string, levels: number): boolean {
  return measureDepth(text) > levels;
}

/** Reads the block `mcp`, else the setting of the plugin that is the MCP server. */
function findExposure(file: Members): Exposure | undefined {
  const mcp = file.get('mcp');
  const block = membersOf(mcp?.node);
  if (mcp && (block.has('expose_tools') || block.has('private_tools')))
    return {
      exposed: namesIn(block.get('expose_tools')?.node),
      private: namesIn(block.get('private_tools')?.node),
      place: block.get('expose_tools')?.keySpan ?? mcp.keySpan,
    };
  if (mcp) return undefined;
  for (const plugin of listIn(file.get('plugins')?.node)) {
    const exposed = membersOf(membersOf(plugin).get('config')?.node).get('exposedTools');
    if (!exposed) continue;
    const isAll = exposed.node.value === '*' || listIn(exposed.node).some(each => each.value === '*');
    return { exposed: isAll ? 'all' : namesIn(exposed.node), private: [], place: exposed.keySpan };
  }
  return undefined;
}

function checkLists({ exposed, private: hidden }: Exposure): readonly ExposureIssue[] {
  const listed = exposed === 'all' ? [] : exposed;
  const both = hidden.flatMap(({ name, span }): readonly ExposureIssue[] => {
    const twin = findNamed(listed, name);
    if (!twin) return [];
    const spelt = twin.name === name ? '' : ` (as ${quote(twin.name)})`;
    const message = `The tool ${quote(name)} is private and exposed${spelt}; take it out of one of the lists`;
    return [{ span, severity: 'error', message }];
  });
  const twice = [listed, hidden].flatMap(list =>
    list.flatMap(({ name, span }, at): readonly ExposureIssue[] =>
      list.findIndex(each => each.name === name) < at
        ? [{ span, severity: 'hint', message: `The tool ${quote(name)} is listed twice; once is enough` }]
        : [],
    ),
  );
  return [...both, ...twice];
}

function compare(
  { exposed, private: hidden, place }: Exposure,
  { agent, tools }: Advertised,
): readonly ExposureIssue[] {
  const issues: ExposureIssue[] = [];
  for (const { name, span } of exposed === 'all' ? [] : exposed) {
    const twin = findText(tools, name);
    if (twin === name) continue;
    issues.push(
      twin === undefined
        ? {
            span,
            severity: 'warning',
            message: `The tool ${quote(name)} is exposed, but ${quote(agent)} does not advertise it; correct its name or register it`,
          }
        : {
            span,
            severity: 'hint',
            message: `The tool ${quote(name)} is advertised by ${quote(agent)} as ${quote(twin)}; write it the same way`,
          },
    );
  }
  for (const tool of tools) {
    const secret = findNamed(hidden, tool);
    if (secret)
      issues.push({
        span: secret.span,
        severity: 'error',
        message: `The tool ${quote(secret.name)} is private, but ${quote(agent)} advertises it${secret.name === tool ? '' : ` as ${quote(tool)}`}; check that the agent was started with this file`,
      });
    else if (exposed !== 'all' && !findNamed(exposed, tool))
      issues.push({
        span: place,
        severity: 'warning',
        message: `${quote(agent)} advertises the tool ${quote(tool)}, which is not exposed here; add it to a list, or check that the agent was started with this file`,
      });
  }
  return issues;
}

/** Writes a name with dots: some agents write it with colons. */
function plain(name: string): string {
  return name.replaceAll(':', '.');
}

function findNamed(list: readonly Named[], name: string): Named | undefined {
  return list.find(each => each.name === name) ?? list.find(each => plain(each.name) === plain(name));
}

function findText(list: readonly string[], name: string): string | undefined {
  return list.includes(name) ? name : list.find(each => plain(each) === plain(name));
}

function namesIn(node: JsonNode | undefined): readonly Named[] {
  return listIn(node).flatMap(({ value, span }) =>
    typeof value === 'string' ? [{ name: value, span }] : [],
  );
}

function listIn(node: JsonNode | undefined): readonly JsonNode[] {
  return node && isList(node) ? node.value : [];
}

function textOf(node: JsonNode | undefined): string | undefined {
  return typeof node?.value === 'string' ? node.value : undefined;
}
