import { readFields, type Fields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { Peer } from '../connection.ts';

/** The kinds of agents, which decide how they are called (AIO-MCP 1.2.1, section 4). */
const KINDS = ['stdio', 'http', 'mcp'] as const;
type AioKind = (typeof KINDS)[number];

/** An agent's description of itself in its `help`, as far as it has one. */
export interface AioHelp {
  readonly kind: AioKind | undefined;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** The names of its methods, without the agent before them. */
  readonly methods: ReadonlySet<string> | undefined;
  /** The types of values that it accepts. */
  readonly modalities: ReadonlySet<string> | undefined;
  /** Its MCP modules, by name, and whether it has them. */
  readonly modules: ReadonlyMap<string, boolean>;
}

/**
 * Reads the reply to `help`: under `result`, `output` or the first of `outputs`, as an object, as the `value`
 * of one, or as JSON text. Undefined for a reply without such a description.
 */
export function readHelp(text: string): AioHelp | undefined {
  const reply = readFields(parseJson(text));
  const outputs: unknown = reply?.get('outputs');
  const first: unknown = Array.isArray(outputs) ? outputs[0] : undefined;
  for (const given of [reply?.get('result'), reply?.get('output'), first]) {
    const body = openValue(given);
    if (body && ['type', 'transport', 'methods', 'modalities', 'mcp'].some(key => body.has(key)))
      return readBody(body);
  }
  return undefined;
}

/** An object, or the object in its `value`: `{"type":"text","value":…}`. */
function openValue(given: unknown): Fields | undefined {
  const own = readFields(typeof given === 'string' ? parseJson(given) : given);
  const held = own?.has('methods') ? undefined : own?.get('value');
  return readFields(typeof held === 'string' ? parseJson(held) : held) ?? own;
}

function readBody(body: Fields): AioHelp {
  const transport: unknown = body.get('transport');
  const listed: readonly unknown[] = Array.isArray(transport) ? transport : [transport];
  const modules = readFields(body.get('mcp'));
  return {
    kind: findKind(body.get('type')) ?? listed.map(findKind).find(kind => kind !== undefined),
    name: readText(body.get('name')) ?? readText(body.get('agent')),
    version: readText(body.get('version')),
    methods: readNames(body.get('methods')),
    modalities: readNames(body.get('modalities')),
    modules: new Map([...(modules ?? [])].map(([name, value]) => [name, value !== false])),
  };
}

function findKind(reported: unknown): AioKind | undefined {
  return KINDS.find(kind => kind === reported);
}

/** Names, as texts or as the `name` of objects, without the agent before them; undefined if none are listed. */
function readNames(listed: unknown): ReadonlySet<string> | undefined {
  const own = readFields(listed);
  const items: readonly unknown[] = Array.isArray(listed) ? listed : own ? [...own.keys()] : [];
  const names = items.flatMap(item => readText(item) ?? readText(readFields(item)?.get('name')) ?? []);
  return names.length > 0 ? new Set(names.map(name => name.replace(/^.*::/, ''))) : undefined;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The part of it that is shown to users. */
export function toPeer(help: AioHelp): Peer {
  const name = [help.name, help.version].filter(part => part !== undefined).join(' ');
  const modules = [...help.modules].filter(([, has]) => has).map(([module]) => module);
  const { name: agent, version } = help;
  return {
    ...(name === '' ? {} : { name }),
    ...(agent === undefined || version === undefined ? {} : { product: { name: agent, version } }),
    ...(help.methods ? { methods: [...help.methods] } : {}),
    capabilities: [...(help.kind ? [help.kind] : []), ...modules, ...(help.modalities ?? [])],
  };
}
