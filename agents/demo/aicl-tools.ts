import { setTimeout as sleep } from 'node:timers/promises';
import type { AiclValue } from './aicl-values.ts';
import { dict, float, int, list, tensor, text } from './aicl-writer.ts';

/** The answer of a tool or a query: a printed value, or an error with its code. */
export type AiclOutcome =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly code: number; readonly detail: string };

type Params = ReadonlyMap<string, AiclValue>;

interface AnalystTool {
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly need: 'required' | 'optional';
  }[];
  run(params: Params, signal: AbortSignal): Promise<AiclOutcome>;
}

/** The tools of the demo agent `analyst`. */
export const ANALYST_TOOLS: ReadonlyMap<string, AnalystTool> = new Map<string, AnalystTool>([
  [
    'stats.describe',
    {
      description: 'Counts numbers and returns their minimum, maximum, mean and deviation',
      parameters: [{ name: 'values', type: 'array', need: 'required' }],
      run: describeNumbers,
    },
  ],
  [
    'text.reverse',
    {
      description: 'Reverses a text, character by character',
      parameters: [{ name: 'text', type: 'string', need: 'required' }],
      run: reverseText,
    },
  ],
  [
    'image.gradient',
    {
      description: 'A small image in colours, as a tensor',
      parameters: [
        { name: 'width', type: 'integer', need: 'optional' },
        { name: 'height', type: 'integer', need: 'optional' },
      ],
      run: drawGradient,
    },
  ],
  [
    'slow.think',
    {
      description: 'Thinks for some seconds',
      parameters: [{ name: 'seconds', type: 'number', need: 'optional' }],
      run: think,
    },
  ],
  [
    'fail.always',
    {
      description: 'Fails, to show what a failed call looks like',
      parameters: [{ name: 'reason', type: 'string', need: 'optional' }],
      run: failAlways,
    },
  ],
]);

/**
 * A tool in AICL, described as in MCP, because LightAICL 1.0 has no message about tools. Undefined for an
 * unknown tool.
 */
export function describeTool(name: string): string | undefined {
  const tool = ANALYST_TOOLS.get(name);
  if (!tool) return undefined;
  const { description, parameters } = tool;
  const required = parameters.filter(({ need }) => need === 'required');
  return dict([
    ['name', text(name)],
    ['description', text(description)],
    [
      'inputSchema',
      dict([
        ['type', text('object')],
        ['properties', dict(parameters.map(each => [each.name, dict([['type', text(each.type)]])]))],
        ['required', list(required.map(each => text(each.name)))],
      ]),
    ],
  ]);
}

/** The data that can be queried. */
export const ANALYST_DATA: ReadonlyMap<string, () => string> = new Map([
  ['embedding', embedding],
  ['image', () => gradientTensor(16, 16)],
  ['tools', () => list([...ANALYST_TOOLS.keys()].map(name => describeTool(name) ?? ''))],
  ['cities', () => list(['Lisbon', 'Nairobi', 'Osaka', 'Quito'].map(text))],
]);

function describeNumbers(params: Params): Promise<AiclOutcome> {
  const values = params.get('values');
  const numbers = Array.isArray(values) ? values.filter(value => typeof value === 'number') : [];
  if (!Array.isArray(values)) return missing('values');
  if (numbers.length === 0 || numbers.length !== values.length)
    return fail("'values' should be a list of numbers");
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const variance = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numbers.length;
  return done(
    dict([
      ['count', int(numbers.length)],
      ['min', float(numbers.reduce((least, value) => Math.min(least, value), Infinity))],
      ['max', float(numbers.reduce((most, value) => Math.max(most, value), -Infinity))],
      ['mean', float(mean)],
      ['deviation', float(Math.sqrt(variance))],
    ]),
  );
}

function reverseText(params: Params): Promise<AiclOutcome> {
  const given = params.get('text');
  return typeof given === 'string' ? done(text([...given].reverse().join(''))) : missing('text');
}

function drawGradient(params: Params): Promise<AiclOutcome> {
  return done(gradientTensor(sizeOf(params.get('width')), sizeOf(params.get('height'))));
}

async function think(params: Params, signal: AbortSignal): Promise<AiclOutcome> {
  const given = params.get('seconds');
  const seconds = typeof given === 'number' && given >= 0 ? Math.min(given, 60) : 3;
  await sleep(seconds * 1000, undefined, { signal });
  return {
    ok: true,
    value: dict([
      ['thought', text('All things considered: 42')],
      ['seconds', float(seconds)],
    ]),
  };
}

function failAlways(params: Params): Promise<AiclOutcome> {
  const reason = params.get('reason');
  return fail(typeof reason === 'string' && reason !== '' ? reason : 'This tool always fails');
}

function done(value: string): Promise<AiclOutcome> {
  return Promise.resolve({ ok: true, value });
}

function fail(detail: string): Promise<AiclOutcome> {
  return Promise.resolve({ ok: false, code: 5000, detail });
}

function missing(name: string): Promise<AiclOutcome> {
  return Promise.resolve({ ok: false, code: 2001, detail: `Parameter '${name}' is required` });
}

function sizeOf(value: AiclValue | undefined): number {
  return typeof value === 'number' && value >= 1 ? Math.min(Math.trunc(value), 256) : 16;
}

/** An RGB image: red grows to the right, green downwards, blue falls with both. */
function gradientTensor(width: number, height: number): string {
  const bytes = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const red = shade(x, width);
      const green = shade(y, height);
      bytes.set([red, green, 255 - ((red + green) >> 1)], (y * width + x) * 3);
    }
  }
  return tensor('uint8', [height, width, 3], bytes);
}

function shade(at: number, size: number): number {
  return Math.round((255 * at) / Math.max(1, size - 1));
}

/** Two vectors of four numbers, each of length 1. */
function embedding(): string {
  const values = [0.5, 0.5, 0.5, 0.5, 0.1, -0.3, 0.9, -0.3];
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) view.setFloat32(index * 4, value, true);
  return tensor('float32', [2, 4], new Uint8Array(view.buffer));
}
