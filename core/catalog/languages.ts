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
