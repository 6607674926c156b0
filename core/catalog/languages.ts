/** The languages that the editor supports. */
export const LANGUAGES = [
  {
    id: 'aicl',
    title: 'AICL',
    extension: '.aicl',
    scope: 'source.aicl',
    summary: 'LightAICL 1.0: typed messages between agents, tensors included.',
    completionTriggers: ['[', ':', ',', '@', ' ', '{'],
    signatureTriggers: [],
  },
  {
    id: 'aicf',
    title: 'AICF-RPC',
    extension: '.aicf',
    scope: 'source.aicf',
    summary: 'AICF-RPC 1.0: one pipe-delimited call or reply a line.',
    completionTriggers: ['|', ':', '@', ' ', '"', '{'],
    signatureTriggers: ['|'],
  },
] as const satisfies readonly LanguageRow[];

export interface LanguageRow {
  readonly id: string;
  readonly title: string;
  readonly extension: string;
  readonly scope: string;
  readonly summary: string;
  /** Characters after which an editor requests completions automatically. */
  readonly completionTriggers: readonly string[];
  /** Characters after which an editor requests signature help. */
  readonly signatureTriggers: readonly string[];
}

export type LanguageId = (typeof LANGUAGES)[number]['id'];

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
