import { PARTS } from '../../core/catalog/media.ts';
import { findEntry, textIn, type DictValue, type Value } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import { findSimilar } from '../../core/text/similar.ts';
import type { AioHelp } from './help.ts';

/** A method with its parameters. */
export interface MethodCall {
  readonly method: string;
  readonly params: Value | undefined;
}

/** A method of a module (AIO-MCP 1.2.1, section 5), spelt as in the document or with an underscore. */
export const MODULE_METHOD = /^(resources|prompts|tools|sampling)[._]([a-z]+)$/;

/**
 * What the user should see before a request is sent: what the agent's help excludes, and parameters and values of
 * another form than the document gives (sections 6 and 8). Each is a sentence without a full stop.
 */
export function listRequestWarnings(methodCall: MethodCall, help: AioHelp | undefined): readonly string[] {
  return [
    ...(help ? listMethodWarnings(methodCall, help) : []),
    ...listParameterWarnings(methodCall),
    ...listInputWarnings(methodCall.params, help),
    ...(help ? listModalityWarnings(methodCall.params, help) : []),
  ];
}

function listMethodWarnings({ method }: MethodCall, { kind, methods, modules }: AioHelp): readonly string[] {
  const module = MODULE_METHOD.exec(method)?.[1];
  if (module !== undefined && modules.get(module) === false)
    return [
      `the agent's help says that it has no module ${quote(module)}, to which ${quote(method)} belongs`,
    ];
  const isInModule = kind === 'mcp' && (module === undefined || modules.has(module));
  if (isInModule || !methods || methods.has(method) || method === 'help') return [];
  const similar = findSimilar(method, [...methods]);
  const advice =
    similar === undefined ? `it lists ${listShort([...methods])}` : `did you mean ${quote(similar)}?`;
  return [`the agent's help lists no method ${quote(method)}; ${advice}`];
}

/** The maximum number of names in a sentence. */
const MOST_NAMES = 10;

function listShort(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).map(name => quote(name, 40));
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** The faults of parameters whose form the document gives (sections 8.3 and 8.4). */
function listParameterWarnings({ method, params }: MethodCall): readonly string[] {
  if (params !== undefined && params.kind !== 'dict')
    return [`'params' of an AIO request is an object of named parameters, such as {"input":"text"}`];
  switch (method.replace('_', '.')) {
    case 'tools.call': {
      const args = findEntry(params, 'args');
      if (textIn(findEntry(params, 'tool')) === undefined)
        return [
          `'tools.call' needs the name of the tool as a text, as in {"tool":"calculate_area","args":{"x":3}}`,
        ];
      return args === undefined || args.kind === 'dict'
        ? []
        : [`'args' of 'tools.call' is an object of arguments by name`];
    }
    case 'sampling.start':
      return findEntry(params, 'input') || findEntry(params, 'inputs')
        ? []
        : [`'sampling.start' needs an input, as in {"input":{"type":"text","value":"Summarize this"}}`];
    default:
      return [];
  }
}

/** The faults of `input` and `inputs`. An object without a type is an agent's own. */
function listInputWarnings(params: Value | undefined, help: AioHelp | undefined): readonly string[] {
  const inputs = findEntry(params, 'inputs');
  if (inputs && inputs.kind !== 'list') return ["'inputs' is a list of values, and 'input' a single one"];
  const values = [findEntry(params, 'input'), ...(inputs?.items ?? [])];
  return values.flatMap(value => {
    const type = value?.kind === 'dict' ? textIn(findEntry(value, 'type')) : undefined;
    const fault =
      value?.kind === 'dict' && type !== undefined ? findValueFault(value, type, help) : undefined;
    return fault === undefined ? [] : [fault];
  });
}

function findValueFault(value: DictValue, type: string, help: AioHelp | undefined): string | undefined {
  const shown = quote(type, 40);
  if (!TYPES.has(type))
    return help?.modalities?.has(type) === true
      ? undefined
      : `an input has the type ${shown}, and the types of AIO are text, image, audio, video and file`;
  const held = textIn(findEntry(value, 'value'));
  if (held === undefined) return `an input of the type ${shown} needs a 'value' that is a text`;
  if (type === 'text' || URL_START.test(held) || BASE64.test(held)) return undefined;
  return `the value of the type ${shown} is neither Base64 nor an address, beginning ${quote(held, 40)}`;
}

/** An address, which may be a data URL. */
const URL_START = /^[a-z][a-z0-9+.-]*:/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function listModalityWarnings(params: Value | undefined, { modalities }: AioHelp): readonly string[] {
  if (!modalities) return [];
  const found = new Set<string>();
  collectTypes(params, found, 0);
  return [...found]
    .filter(type => !modalities.has(type))
    .map(
      type =>
        `the agent's help lists the modalities ${[...modalities].join(', ')}, and the request holds a value of type ${quote(type)}`,
    );
}

const TYPES: ReadonlySet<string | undefined> = new Set(
  PARTS.flatMap(({ name, media }) => (name === 'text' || media !== undefined ? [name] : [])),
);
/** The maximum depth that is searched: values of AIO are near the top. */
const DEEPEST = 20;

function collectTypes(value: Value | undefined, found: Set<string>, depth: number): void {
  if (depth > DEEPEST) return;
  if (value?.kind === 'list') for (const item of value.items) collectTypes(item, found, depth + 1);
  if (value?.kind !== 'dict') return;
  const type = textIn(findEntry(value, 'type'));
  if (type !== undefined && TYPES.has(type) && findEntry(value, 'value')) found.add(type);
  for (const entry of value.entries) collectTypes(entry.value, found, depth + 1);
}
