import { findConversion, type ConversionName } from '../../../core/catalog/conversions.ts';

/** The editor language for a result: JSON for one message, JSON Lines for several, plain text for events. */
export function languageOf(
  to: ConversionName,
  text: string,
): 'aicl' | 'aicf' | 'json' | 'jsonl' | 'plaintext' {
  const language = findConversion(to)?.language ?? 'json';
  if (language !== 'json') return language;
  const start = text.trimStart();
  if (/^(?:event|data|id|retry):/.test(start)) return 'plaintext';
  const firstLine = start.slice(0, Math.max(0, start.indexOf('\n')));
  // Several messages are written one per line.
  return /^[[{].*[\]}]\s*$/.test(firstLine) && start.trimEnd().includes('\n') ? 'jsonl' : 'json';
}
