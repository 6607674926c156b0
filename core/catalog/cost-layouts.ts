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
