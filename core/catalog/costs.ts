/** The token encodings of models, as in `parley tokens --encoding`. The first one is the default. */
export const ENCODINGS = [
  { name: 'o200k_base', models: 'GPT-4o and newer' },
  { name: 'cl100k_base', models: 'GPT-4 and GPT-3.5' },
] as const satisfies readonly { readonly name: string; readonly models: string }[];

export type EncodingName = (typeof ENCODINGS)[number]['name'];

export const DEFAULT_ENCODING: EncodingName = ENCODINGS[0].name;

/** The encoding by its name; undefined for any other text. */
export function findEncoding(name: unknown): (typeof ENCODINGS)[number] | undefined {
  return ENCODINGS.find(row => row.name === name);
}

/** The layout of a row in a cost table. `single` is for protocols that have only one layout. */
export const COST_LAYOUTS = [
  { name: 'source', title: 'as written' },
  { name: 'pretty', title: 'pretty' },
  { name: 'compact', title: 'minified' },
  { name: 'single', title: 'one layout' },
] as const satisfies readonly { readonly name: string; readonly title: string }[];

export type CostLayout = (typeof COST_LAYOUTS)[number]['name'];

/** The layout by its name; undefined for any other text. */
export function findCostLayout(name: unknown): (typeof COST_LAYOUTS)[number] | undefined {
  return COST_LAYOUTS.find(row => row.name === name);
}
