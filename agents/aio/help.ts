import { readFields, type Fields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { Peer } from '../connection.ts';

/** What kind of agent says how it is asked (AIO-MCP 1.2.1, section 4). */
const KINDS = ['stdio', 'http', 'mcp'] as const;
type AioKind = (typeof KINDS)[number];

/** What an agent says of itself in its `help`, as far as it does. */
export interface AioHelp {
  readonly kind: AioKind | undefined;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** The names of its methods, without the agent before them. */
  readonly methods: ReadonlySet<string> | undefined;
  /** The types of values that it takes. */
  readonly modalities: ReadonlySet<string> | undefined;
  /** Its MCP modules, by name, and whether it has them. */
  readonly modules: ReadonlyMap<string, boolean>;
}

/**
 * Reads the reply to `help`: under `result`, `output` or the first of `outputs`, itself or as the value of one, also as JSON
 * text. Undefined for a reply that says nothing of this.
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

/** A value, or what stands in it: `{"type":"text","value":…}`. */
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

function findKind(told: unknown): AioKind | undefined {
  return KINDS.find(kind => kind === told);
}

/** Names, bare or as those of objects, and without the agent before them; undefined where none are listed. */
function readNames(listed: unknown): ReadonlySet<string> | undefined {
  const own = readFields(listed);
  const items: readonly unknown[] = Array.isArray(listed) ? listed : own ? [...own.keys()] : [];
  const names = items.flatMap(item => readText(item) ?? readText(readFields(item)?.get('name')) ?? []);
  return names.length > 0 ? new Set(names.map(name => name.replace(/^.*::/, ''))) : undefined;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What of that people are told of the agent. */
export function toPeer(help: AioHelp): Peer {
  const name = [help.name, help.version].filter(part => part !== undefined).join(' ');
  const modules = [...help.modules].filter(([, has]) => has).map(([module]) => module);
  return {
    ...(name === '' ? {} : { name }),
    capabilities: [...(help.kind ? [help.kind] : []), ...modules, ...(help.modalities ?? [])],
  };
}
