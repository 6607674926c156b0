import { setTimeout as sleep } from 'node:timers/promises';

/** A value as JSON carries it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** An argument of a tool. */
export interface ToolArgument {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer';
  readonly isOptional: boolean;
}

/** The outcome of a tool: a value, pieces of text over time, or a failure. */
export type ToolOutcome =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'stream'; readonly pieces: AsyncIterable<string> }
  | { readonly kind: 'failure'; readonly message: string };

export type ToolArguments = ReadonlyMap<string, string | number>;

export interface DemoTool {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ToolArgument[];
  run(given: ToolArguments, signal: AbortSignal): ToolOutcome;
}

/** The tools of the demo agent `toolbox`. Their results depend only on their arguments. */
export const TOOLBOX: readonly DemoTool[] = [
  {
    name: 'text.reverse',
    description: 'Reverses a text, character by character',
    arguments: [{ name: 'text', type: 'string', isOptional: false }],
    run: given => ({ kind: 'value', value: [...textOf(given, 'text')].reverse().join('') }),
  },
  {
    name: 'math.add',
    description: 'Adds two numbers',
    arguments: [
      { name: 'a', type: 'number', isOptional: false },
      { name: 'b', type: 'number', isOptional: false },
    ],
    run: given => ({ kind: 'value', value: { sum: numberOf(given, 'a', 0) + numberOf(given, 'b', 0) } }),
  },
  {
    name: 'weather.forecast',
    description: 'A forecast for the next days, made up from the name of the city',
    arguments: [
      { name: 'city', type: 'string', isOptional: false },
      { name: 'days', type: 'integer', isOptional: true },
    ],
    run: forecast,
  },
  {
    name: 'image.gradient',
    description: 'A small grey image as rows of numbers from 0 to 255',
    arguments: [
      { name: 'width', type: 'integer', isOptional: true },
      { name: 'height', type: 'integer', isOptional: true },
    ],
    run: gradient,
  },
  {
    name: 'slow.count',
    description: 'Counts the seconds as they pass, one chunk a second',
    arguments: [{ name: 'seconds', type: 'number', isOptional: false }],
    run: count,
  },
  {
    name: 'fail.always',
    description: 'Fails, to show what a failed call looks like',
    arguments: [{ name: 'reason', type: 'string', isOptional: true }],
    run: given => ({ kind: 'failure', message: textOf(given, 'reason') || 'This tool always fails' }),
  },
];

/** Tools as a protocol lists them. */
export function listTools(tools: readonly DemoTool[]): readonly ListedTool[] {
  return tools.map(({ name, description, arguments: declared }) => ({
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(declared.map(each => [each.name, { type: each.type }])),
      required: declared.filter(each => !each.isOptional).map(each => each.name),
    },
  }));
}

/** A tool as a protocol lists it. */
export type ListedTool = JsonObject & { readonly name: string; readonly description: string };

/** The arguments of a call, or why it cannot run: arguments are missing, unknown or of the wrong type. */
export type ArgumentCheck =
  | { readonly ok: true; readonly given: ToolArguments }
  | { readonly ok: false; readonly message: string };

/**
 * Reads arguments by name. An empty text counts as absent unless a text is expected (AICF-RPC has no other
 * way to omit one).
 */
export function readArguments(tool: DemoTool, given: ReadonlyMap<string, unknown>): ArgumentCheck {
  const read = new Map<string, string | number>();
  for (const argument of tool.arguments) {
    const value = given.get(argument.name);
    const isAbsent = value === undefined || value === null || (value === '' && argument.type !== 'string');
    if (isAbsent && argument.isOptional) continue;
    if (isAbsent) return { ok: false, message: `Missing required argument: ${argument.name}` };
    const typed = readArgument(argument, value);
    if (typed === undefined)
      return { ok: false, message: `Argument ${argument.name} should be of type ${argument.type}` };
    read.set(argument.name, typed);
  }
  const unknown = [...given.keys()].find(name => !tool.arguments.some(argument => argument.name === name));
  if (unknown !== undefined) return { ok: false, message: `Unknown argument: ${unknown}` };
  return { ok: true, given: read };
}

function readArgument(argument: ToolArgument, value: unknown): string | number | undefined {
  if (argument.type === 'string') return typeof value === 'string' ? value : undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return argument.type === 'number' || Number.isInteger(number) ? number : undefined;
}

function textOf(given: ToolArguments, name: string): string {
  return String(given.get(name) ?? '');
}

function numberOf(given: ToolArguments, name: string, otherwise: number): number {
  const value = given.get(name);
  return typeof value === 'number' ? value : otherwise;
}

const SKIES = ['sunny', 'cloudy', 'light rain', 'windy', 'clear'] as const;

function forecast(given: ToolArguments): ToolOutcome {
  const city = textOf(given, 'city');
  const days = clamp(numberOf(given, 'days', 3), 1, 14);
  const seed = [...city].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973, 7);
  const list = Array.from({ length: days }, (_, day) => ({
    day: day + 1,
    sky: SKIES[(seed + day * 3) % SKIES.length] ?? 'clear',
    high: 12 + ((seed + day * 5) % 15),
    low: 2 + ((seed + day * 7) % 9),
  }));
  return { kind: 'value', value: { city, unit: 'celsius', days: list } };
}

function gradient(given: ToolArguments): ToolOutcome {
  const width = clamp(numberOf(given, 'width', 8), 1, 64);
  const height = clamp(numberOf(given, 'height', 4), 1, 64);
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => Math.round((255 * (x + y)) / Math.max(1, width + height - 2))),
  );
  return { kind: 'value', value: { width, height, rows } };
}

function count(given: ToolArguments, signal: AbortSignal): ToolOutcome {
  const seconds = clamp(numberOf(given, 'seconds', 3), 0, 60);
  return { kind: 'stream', pieces: countSeconds(seconds, signal) };
}

async function* countSeconds(seconds: number, signal: AbortSignal): AsyncGenerator<string> {
  const whole = Math.floor(seconds);
  for (let second = 1; second <= whole; second++) {
    await sleep(1000, undefined, { signal });
    yield second === 1 ? '1' : ` ${second}`;
  }
  if (seconds > whole) await sleep((seconds - whole) * 1000, undefined, { signal });
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
