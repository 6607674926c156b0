import type { TokenUsage } from '../../core/events/events.ts';
import type { Message } from '../../core/message/message.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { UsageReader } from '../recognise/usage.ts';

/** The token usage that an agent reports in its reply; undefined if it reports none. */
export function usageOfReply({ fields: { rest, metadata } }: Message): TokenUsage | undefined {
  const reader = new UsageReader();
  const own = rest?.kind === 'dict' ? rest.entries.map(({ value }) => value) : [];
  for (const value of metadata ? [...own, metadata] : own) reader.push(compactJson(value), () => value);
  const { usage } = reader;
  return usage?.input === undefined && usage?.output === undefined ? undefined : usage;
}
