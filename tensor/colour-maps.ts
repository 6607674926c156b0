/**
 * Colour maps for values, computed as paths through OKLCh (Ottosson 2020). Lightness is even along the path,
 * so that equal steps of a value look equal. Colours outside sRGB lose chroma, not lightness.
 */
export const COLOUR_MAPS = [
  { name: 'cool', title: 'Blue to yellow', summary: 'Dark blue, green, light yellow.', at: cool },
  { name: 'warm', title: 'Purple to yellow', summary: 'Dark purple, red, light yellow.', at: warm },
  {
    name: 'diverging',
    title: 'Blue, white, red',
    summary: 'Blue below the middle, red above it.',
    at: diverging,
  },
  { name: 'grey', title: 'Grey', summary: 'Black to white.', at: grey },
] as const satisfies readonly ColourMap[];

export interface ColourMap {
  readonly name: string;
  /** The title shown to users. */
  readonly title: string;
  readonly summary: string;
  /** The colour at a position from 0 to 1. */
  readonly at: (share: number) => Oklch;
}

export type ColourMapName = (typeof COLOUR_MAPS)[number]['name'];

/** A colour in OKLCh: lightness from 0 to 1, chroma from 0, hue in degrees. */
interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** A colour in sRGB: red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The number of steps of a colour map. */
export const COLOUR_STEPS = 256;

const TABLES = new Map<ColourMapName, Uint8ClampedArray>();

/** The colours of a map in 256 even steps, three bytes each: red, green, blue. */
export function colourTable(name: ColourMapName): Uint8ClampedArray {
  const made = TABLES.get(name);
  if (made) return made;
  const map: ColourMap | undefined = COLOUR_MAPS.find(row => row.name === name);
  const table = new Uint8ClampedArray(COLOUR_STEPS * 3);
  for (let step = 0; map && step < COLOUR_STEPS; step++)
    table.set(toRgb(map.at(step / (COLOUR_STEPS - 1))), step * 3);
  TABLES.set(name, table);
  return table;
}

/**
 * The colours of values that are not finite. They are more saturated
 * than any colour of a map, and visible on light and dark backgrounds.
 */
export const SPECIAL_COLOURS = {
  nan: [255, 0, 255],
  positiveInfinity: [0, 255, 0],
  negativeInfinity: [0, 0, 255],
} as const satisfies Readonly<Record<string, Rgb>>;

function cool(share: number): Oklch {
  return {
    lightness: 0.18 + 0.77 * share,
    chroma: 0.045 + 0.065 * share + 0.02 * arch(share),
    hue: 275 - 170 * share,
  };
}

function warm(share: number): Oklch {
  return { lightness: 0.18 + 0.77 * share, chroma: 0.05 + 0.13 * arch(share), hue: 310 + 155 * share };
}

function diverging(share: number): Oklch {
  const away = Math.abs(share - 0.5) * 2;
  return { lightness: 0.96 - 0.56 * away, chroma: 0.17 * away, hue: share < 0.5 ? 255 : 25 };
}

/** Maps the bytes 0 to 255 to themselves, so that a grey picture shows its own values. */
function grey(share: number): Oklch {
  return { lightness: Math.cbrt(fromSrgb(share)), chroma: 0, hue: 0 };
}

/** 0 at both ends, 1 in the middle. */
function arch(share: number): number {
  return 4 * share * (1 - share);
}

/** Converts to sRGB. If the colour is outside of it, the chroma is reduced by binary search. */
function toRgb(colour: Oklch): Rgb {
  let [low, high] = [0, 1];
  if (!isInside(toLinear(colour)))
    for (let round = 0; round < 16; round++) {
      const middle = (low + high) / 2;
      if (isInside(toLinear({ ...colour, chroma: colour.chroma * middle }))) low = middle;
      else high = middle;
    }
  else low = 1;
  const [red, green, blue] = toLinear({ ...colour, chroma: colour.chroma * low });
  return [toByte(red), toByte(green), toByte(blue)];
}

/** Linear red, green and blue, each from 0 to 1 if a screen can show it. */
function toLinear({ lightness, chroma, hue }: Oklch): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}

/** Allows for rounding in the matrix. */
function isInside(light: Rgb): boolean {
  return light.every(part => part >= -0.0005 && part <= 1.0005);
}

function toByte(light: number): number {
  const part = Math.max(0, Math.min(1, light));
  return Math.round(255 * (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055));
}

function fromSrgb(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
