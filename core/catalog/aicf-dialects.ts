/** The two formats of `.aicf` files; they share only the file extension. */
export const AICF_DIALECTS = [
  { name: 'rpc', title: 'AICF-RPC', summary: 'Requests and responses, one a line.' },
  {
    name: 'context',
    title: 'AICF context',
    summary: 'Memory files in AI Context Format: sections with rows.',
  },
] as const satisfies readonly AicfDialectRow[];

export type AicfDialect = (typeof AICF_DIALECTS)[number]['name'];

export interface AicfDialectRow {
  readonly name: string;
  /** The title shown to users. */
  readonly title: string;
  readonly summary: string;
}

/** A dialect by its name; undefined for anything else. */
export function findDialect(name: unknown): (typeof AICF_DIALECTS)[number] | undefined {
  return AICF_DIALECTS.find(row => row.name === name);
}
