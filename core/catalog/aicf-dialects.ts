/** The two formats that `.aicf` files are written in; they share nothing but the ending. */
export const AICF_DIALECTS = [
  { name: 'rpc', title: 'AICF-RPC', summary: 'Requests and responses, one a line.' },
  {
    name: 'context',
    title: 'AICF context',
    summary: 'Memory files in AI Context Format: sections with rows.',
  },
] as const satisfies readonly AicfDialectRow[];

/** One of them by its name. */
export type AicfDialect = (typeof AICF_DIALECTS)[number]['name'];

export interface AicfDialectRow {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly summary: string;
}

/** A dialect by its name; undefined for anything else. */
export function findDialect(name: unknown): (typeof AICF_DIALECTS)[number] | undefined {
  return AICF_DIALECTS.find(row => row.name === name);
}
