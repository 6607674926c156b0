import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  COLOUR_MAPS,
  COLOUR_STEPS,
  colourTable,
  SPECIAL_COLOURS,
  type ColourMapName,
} from '../../../tensor/colour-maps.ts';

type Oklab = readonly [lightness: number, a: number, b: number];

/** From sRGB to OKLab (Ottosson 2020), the other way than the maps go. */
function toOklab([red, green, blue]: readonly [number, number, number]): Oklab {
  const light = (byte: number): number =>
    byte <= 0.04045 * 255 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
  const [r, g, b] = [light(red), light(green), light(blue)];
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}

function stepsOf(name: ColourMapName): readonly Oklab[] {
  const table = colourTable(name);
  return Array.from({ length: COLOUR_STEPS }, (_, step) =>
    toOklab([table[step * 3] ?? 0, table[step * 3 + 1] ?? 0, table[step * 3 + 2] ?? 0]),
  );
}

function distance(one: Oklab, other: Oklab): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

/** The byte steps of sRGB leave so much play. */
const ROUNDING = 0.006;

describe('colour maps', () => {
  for (const { name } of COLOUR_MAPS) {
    it(`${name}: every step is near to the one before, and far from all that are not`, () => {
      const steps = stepsOf(name);
      // Grey has the steps of the bytes, which are larger where it is dark.
      const most = name === 'grey' ? 0.07 : 0.025;
      for (const [at, step] of steps.entries()) {
        const before = steps[at - 1] ?? step;
        assert.ok(distance(step, before) < most, `step ${at}: ${distance(step, before)}`);
        for (const [more, far] of steps.slice(at + 32).entries())
          assert.ok(distance(step, far) > 0.035, `steps ${at} and ${at + 32 + more}: ${distance(step, far)}`);
      }
    });

    it(`${name}: NaN and infinities have colours far from all of its own`, () => {
      for (const [special, colour] of Object.entries(SPECIAL_COLOURS))
        for (const [at, step] of stepsOf(name).entries()) {
          const far = distance(toOklab(colour), step);
          assert.ok(far > 0.15, `${special} is ${far} from step ${at}`);
        }
    });
  }

  for (const name of ['cool', 'warm'] as const)
    it(`${name}: lightness goes up evenly, so equal steps look equal`, () => {
      for (const [at, [lightness]] of stepsOf(name).entries()) {
        const wanted = 0.18 + (0.77 * at) / (COLOUR_STEPS - 1);
        assert.ok(Math.abs(lightness - wanted) < ROUNDING, `step ${at}: ${lightness}, not ${wanted}`);
      }
    });

  it('diverging: both sides are as light as each other, the middle is nearly white', () => {
    const steps = stepsOf('diverging');
    for (let at = 0; at < COLOUR_STEPS / 2; at++) {
      const [left = 0, right = 0] = [steps[at]?.[0], steps[COLOUR_STEPS - 1 - at]?.[0]];
      assert.ok(Math.abs(left - right) < ROUNDING, `step ${at}: ${left} and ${right}`);
    }
    const [lightness, a, b] = steps[COLOUR_STEPS / 2] ?? [0, 1, 1];
    assert.ok(lightness > 0.94 && Math.hypot(a, b) < 0.02, `${lightness} ${a} ${b}`);
  });

  it('grey has each byte as its own step', () => {
    assert.deepEqual(
      [...colourTable('grey')],
      Array.from({ length: COLOUR_STEPS * 3 }, (_, at) => Math.floor(at / 3)),
    );
  });

  it('special colours differ from each other and are seen on white and on black', () => {
    const colours = [...Object.values(SPECIAL_COLOURS), [0, 0, 0], [255, 255, 255]] as const;
    for (const [at, one] of colours.entries())
      for (const other of colours.slice(at + 1))
        assert.ok(distance(toOklab(one), toOklab(other)) > 0.2, `${one.join()} and ${other.join()}`);
  });
});
