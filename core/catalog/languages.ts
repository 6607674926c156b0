import { PROTOCOLS, type MessageLanguage, type ProtocolRow } from './protocols.ts';

const PROTOCOL_ROWS: readonly ProtocolRow[] = PROTOCOLS;

/** The languages that the editor supports. */
export const LANGUAGES = [
  {
    id: 'aicl',
    title: 'AICL',
    extensions: ['.aicl'],
    scope: 'source.aicl',
    summary: 'LightAICL 1.0: typed messages between agents, tensors included.',
    completionTriggers: ['[', ':', ',', '@', ' ', '{'],
    signatureTriggers: [],
  },
  {
    id: 'aicf',
    title: 'AICF-RPC',
    extensions: ['.aicf'],
    scope: 'source.aicf',
    summary: 'AICF-RPC 1.0: one pipe-delimited call or reply a line.',
    completionTriggers: ['|', ':', '@', ' ', '"', '{'],
    signatureTriggers: ['|'],
  },
  {
    id: 'agent-json',
    title: 'Agent JSON',
    extensions: PROTOCOL_ROWS.flatMap(row => row.requests?.files ?? []),
    scope: 'source.agent-json',
    summary: "Requests in the JSON of an agent's protocol, with comments.",
    completionTriggers: ['"', ':', '@', ' ', '{'],
    signatureTriggers: [],
  },
] as const satisfies readonly LanguageRow[];

export interface LanguageRow {
  readonly id: string;
  readonly title: string;
  /** The ends of the names of its files. */
  readonly extensions: readonly string[];
  readonly scope: string;
  readonly summary: string;
  /** Characters after which an editor requests completions automatically. */
  readonly completionTriggers: readonly string[];
  /** Characters after which an editor requests signature help. */
  readonly signatureTriggers: readonly string[];
}

export type LanguageId = (typeof LANGUAGES)[number]['id'];

/** The languages whose requests and replies are converted to and from any protocol. */
export const MESSAGE_LANGUAGES = LANGUAGES.filter(row => row.id !== 'agent-json');

/** True for a language whose requests and replies are converted to and from any protocol. */
export function isMessageLanguage(id: LanguageId | undefined): id is MessageLanguage {
  return MESSAGE_LANGUAGES.some(row => row.id === id);
}

/** A language whose requests and replies are converted; undefined for JSON, whose protocol conversions recognise. */
export function messageLanguage(id: LanguageId | undefined): MessageLanguage | undefined {
  return isMessageLanguage(id) ? id : undefined;
}

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
