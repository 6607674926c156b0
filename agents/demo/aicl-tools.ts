import { setTimeout as sleep } from 'node:timers/promises';
import { floatValue, intValue, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { findEntry } from '../../core/values/value.ts';
import { dict, numberIn, numbersIn, tensor } from './aicl-values.ts';
import { offerTool } from './served.ts';

/** The outcome of a tool: a value, or why it failed. */
type AiclOutcome =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly detail: string };

interface AnalystTool {
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly need: 'required' | 'optional';
  }[];
  run(params: Value | undefined, signal: AbortSignal): Promise<AiclOutcome>;
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

/** The tools as the agent offers them. LightAICL 1.0 has no message about tools, so they are described as in MCP. */
export const OFFERED_TOOLS = [...ANALYST_TOOLS].map(([name, { description, parameters }]) => {
  const required = parameters.filter(({ need }) => need === 'required').map(each => each.name);
  const properties = Object.fromEntries(parameters.map(each => [each.name, { type: each.type }]));
  return offerTool({ name, description, inputSchema: { type: 'object', properties, required } });
});

/** The data that can be queried. */
export const ANALYST_DATA: ReadonlyMap<string, () => Value> = new Map([
  ['embedding', embedding],
  ['image', () => gradientTensor(16, 16)],
  ['cities', () => listValue(['Lisbon', 'Nairobi', 'Osaka', 'Quito'].map(textValue))],
]);

function describeNumbers(params: Value | undefined): Promise<AiclOutcome> {
  const numbers = numbersIn(findEntry(params, 'values'));
  if (!numbers) return fail("'values' should be a list of numbers");
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const variance = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numbers.length;
  return done(
    dict({
      count: intValue(numbers.length),
      min: floatValue(numbers.reduce((least, value) => Math.min(least, value), Infinity)),
      max: floatValue(numbers.reduce((most, value) => Math.max(most, value), -Infinity)),
      mean: floatValue(mean),
      deviation: floatValue(Math.sqrt(variance)),
    }),
  );
}

function reverseText(params: Value | undefined): Promise<AiclOutcome> {
  return done(textValue([...(textIn(findEntry(params, 'text')) ?? '')].reverse().join('')));
}

function drawGradient(params: Value | undefined): Promise<AiclOutcome> {
  return done(gradientTensor(sizeOf(findEntry(params, 'width')), sizeOf(findEntry(params, 'height'))));
}

async function think(params: Value | undefined, signal: AbortSignal): Promise<AiclOutcome> {
  const given = numberIn(findEntry(params, 'seconds')) ?? 3;
  const seconds = given >= 0 ? Math.min(given, 60) : 3;
  await sleep(seconds * 1000, undefined, { signal });
  return {
    ok: true,
    value: dict({ thought: textValue('All things considered: 42'), seconds: floatValue(seconds) }),
  };
}

function failAlways(params: Value | undefined): Promise<AiclOutcome> {
  return fail(textIn(findEntry(params, 'reason')) || 'This tool always fails');
}

function done(value: Value): Promise<AiclOutcome> {
  return Promise.resolve({ ok: true, value });
}

function fail(detail: string): Promise<AiclOutcome> {
  return Promise.resolve({ ok: false, detail });
}

function sizeOf(value: Value | undefined): number {
  const size = numberIn(value) ?? 16;
  return size >= 1 ? Math.min(Math.trunc(size), 256) : 16;
}

/** An RGB image: red grows to the right, green downwards, blue falls with both. */
function gradientTensor(width: number, height: number): Value {
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
function embedding(): Value {
  const values = [0.5, 0.5, 0.5, 0.5, 0.1, -0.3, 0.9, -0.3];
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) view.setFloat32(index * 4, value, true);
  return tensor('float32', [2, 4], new Uint8Array(view.buffer));
}
