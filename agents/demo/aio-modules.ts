import { findPart } from '../../core/catalog/media.ts';
import { decodeBase64 } from '../../core/text/base64.ts';
import { quote } from '../../core/text/quote.ts';
import { readFields } from '../../core/text/fields.ts';
import { listTools, readArguments, TOOLBOX, type DemoTool, type JsonValue } from './tools.ts';

/** The outcome of a method: a result, or an error of JSON-RPC. */
export type AioResult =
  | { readonly result: JsonValue }
  | { readonly error: { readonly code: number; readonly message: string } };

/** The parameters of a request, by name. */
export type AioParams = ReadonlyMap<string, unknown>;

/** Answers a method; `signal` aborts when the caller is gone. */
type Method = (params: AioParams, signal: AbortSignal) => AioResult | Promise<AioResult>;

/** The methods of the modules (AIO-MCP 1.2.1, sections 5 and 8), and `input`, which agents of the kind mcp lack. */
export const AIO_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['input', takeInput],
  [
    'resources.list',
    () => ({ result: { resources: RESOURCES.map(({ id, title, type }) => ({ id, title, type })) } }),
  ],
  ['resources.get', getResource],
  ['prompts.list', () => ({ result: { prompts: [PROMPT] } })],
  ['prompts.get', getPrompt],
  ['tools.list', () => ({ result: { tools: listTools(TOOLS) } })],
  ['tools.call', callTool],
  ['sampling.start', startSampling],
  ['sampling.step', stepSampling],
]);

const INVALID = -32602;

export function fail(code: number, message: string): AioResult {
  return { error: { code, message } };
}

/** The tool of the document's own example (section 8.3). */
const AREA: DemoTool = {
  name: 'calculate_area',
  description: 'The area of a rectangle',
  arguments: [
    { name: 'x', type: 'number', isOptional: false },
    { name: 'y', type: 'number', isOptional: false },
  ],
  run: given => ({ kind: 'value', value: { area: Number(given.get('x')) * Number(given.get('y')) } }),
};

const TOOLS: readonly DemoTool[] = [...TOOLBOX, AREA];

async function callTool(params: AioParams, signal: AbortSignal): Promise<AioResult> {
  const name = params.get('tool');
  const tool = TOOLS.find(each => each.name === name);
  if (!tool) return fail(-32601, `Tool not found: ${typeof name === 'string' ? name : ''}`);
  const check = readArguments(tool, readFields(params.get('args')) ?? new Map<string, unknown>());
  if (!check.ok) return fail(INVALID, check.message);
  const outcome = tool.run(check.given, signal);
  if (outcome.kind === 'failure') return fail(-32603, outcome.message);
  if (outcome.kind === 'value') return { result: outcome.value };
  const pieces: string[] = [];
  for await (const piece of outcome.pieces) pieces.push(piece);
  return { result: { type: 'text', value: pieces.join('') } };
}

const RESOURCES = [
  {
    id: 'map',
    title: 'A map of the demo agents',
    type: 'text',
    value: 'toolbox, analyst, storyteller, oracle, librarian, courier, curator',
  },
  {
    id: 'tile',
    title: 'A picture of a tile',
    type: 'image',
    value:
      'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAH0lEQVR42mO4cOHCBQMDAwMYzUCGADIHRJMjMEjcAQAFDIABYMa/aQAAAABJRU5ErkJggg==',
  },
  { id: 'doc-001', title: 'Spec Sheet', type: 'file', value: 'eyJ0aXRsZSI6IlNwZWMgU2hlZXQiLCJwYWdlcyI6Mn0=' },
] as const;

function getResource(params: AioParams): AioResult {
  const id = params.get('id');
  const found = RESOURCES.find(each => each.id === id);
  if (found) return { result: { type: found.type, value: found.value } };
  return fail(
    INVALID,
    describeUnknown(
      'resource',
      'id',
      id,
      RESOURCES.map(each => each.id),
    ),
  );
}

const PROMPT = {
  name: 'summary',
  title: 'A request for a summary',
  template: 'Summarize this text in {{words}} words: {{text}}',
  arguments: [
    { name: 'text', required: true },
    { name: 'words', required: false },
  ],
};

function getPrompt(params: AioParams): AioResult {
  const name = params.get('name');
  if (name !== PROMPT.name) return fail(INVALID, describeUnknown('prompt', 'name', name, [PROMPT.name]));
  const given = readFields(params.get('arguments'));
  const text = given?.get('text') ?? params.get('arguments');
  const words: unknown = given?.get('words') ?? 20;
  if (typeof text !== 'string') return fail(INVALID, "The prompt 'summary' needs the argument 'text'");
  return {
    result: { type: 'text', value: `Summarize this text in ${JSON.stringify(words)} words: ${text}` },
  };
}

function describeUnknown(what: string, key: string, given: unknown, known: readonly string[]): string {
  const asked =
    typeof given === 'string' ? `There is no ${what} ${quote(given)}` : `Name the ${what} in '${key}'`;
  return `${asked}; there is ${known.map(each => quote(each)).join(', ')}`;
}

function takeInput(params: AioParams): AioResult {
  const inputs = listInputs(params);
  if (typeof inputs === 'string') return fail(INVALID, inputs);
  return { result: { type: 'text', value: `Delivered: ${inputs.map(describeInput).join(', ')}` } };
}

/** The number of steps of a sampling. Its state is in its id, so that nothing has to be stored. */
const STEPS = 3;

function startSampling(params: AioParams): AioResult {
  const inputs = listInputs(params);
  if (typeof inputs === 'string') return fail(INVALID, inputs);
  return sample(1, `I have read ${inputs.map(describeInput).join(', ')}.`);
}

function stepSampling(params: AioParams): AioResult {
  const [, number] = /^sample-([1-9])$/.exec(String(params.get('id'))) ?? [];
  if (number === undefined || Number(number) >= STEPS)
    return fail(
      INVALID,
      "Name in 'id' the sampling that goes on, as the last step named it; it ends after step 3",
    );
  const step = Number(number) + 1;
  return sample(step, step === STEPS ? 'That is all.' : 'It has a beginning, a middle and an end.');
}

function sample(step: number, text: string): AioResult {
  return { result: { id: `sample-${step}`, output: { type: 'text', value: text }, done: step === STEPS } };
}

interface Input {
  readonly type: string;
  readonly value: string;
}

/** The values of a request; a sentence if it has none, or one of another form than section 6 of the document gives. */
function listInputs(params: AioParams): readonly Input[] | string {
  const listed = params.get('inputs');
  const given: readonly unknown[] = Array.isArray(listed) ? listed : [params.get('input')];
  const inputs = given.map(readInput);
  const wrong = inputs.indexOf(undefined);
  if (wrong < 0 && inputs.length > 0) return inputs.filter(each => each !== undefined);
  return `Input ${wrong + 1} should be a text, or {"type": text, image, audio, video or file, "value": text, base64 or URL}`;
}

function readInput(given: unknown): Input | undefined {
  if (typeof given === 'string') return { type: 'text', value: given };
  const fields = readFields(given);
  const [type, value] = [fields?.get('type'), fields?.get('value')];
  if (typeof type !== 'string' || typeof value !== 'string' || !findPart(type)) return undefined;
  return { type, value };
}

function describeInput({ type, value }: Input): string {
  if (type === 'text') return value;
  const bytes = decodeBase64(value.replace(/^data:[^,]*,/, ''));
  const what = bytes ? `${bytes.length} bytes` : /^https?:/.test(value) ? value : 'something unreadable';
  return `${type === 'image' || type === 'audio' ? 'an' : 'a'} ${type} (${what})`;
}
