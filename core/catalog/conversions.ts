import { PROTOCOLS, type MessageLanguage, type ProtocolRow } from './protocols.ts';

/** Our own JSON form of messages, which is not a protocol. */
export const PLAIN_JSON = {
  name: 'json',
  title: 'Plain typed JSON',
  short: 'JSON',
  language: 'json',
  stream: 'lines',
} as const satisfies ConversionRow;

/** The formats that a message can be converted from and to, as in `parley convert --to`. */
export const CONVERSIONS = [...PROTOCOLS, PLAIN_JSON] as const;

/** The facts about a format that a conversion needs. */
export type ConversionRow = Pick<ProtocolRow, 'name' | 'title' | 'short' | 'language' | 'stream'>;

export type ConversionName = (typeof CONVERSIONS)[number]['name'];

/** The protocol by its name; undefined for any other text. */
export function findConversion(name: unknown): (typeof CONVERSIONS)[number] | undefined {
  return CONVERSIONS.find(row => row.name === name);
}

/** The conversions that an editor lists first for a message in one of its languages; all others need one more step. */
export const COMMON_TARGETS: Readonly<Record<MessageLanguage, readonly ConversionName[]>> = {
  aicl: ['json', 'json-rpc', 'mcp'],
  aicf: ['json-rpc', 'mcp', 'aicl'],
};
