import { parseJson } from '../../../core/text/json.ts';
import type { FoundAgent } from './agent-files.ts';

/** What an agent's connection is kept under: its file and its name. */
export function keyOf({ config, file }: FoundAgent): string {
  return JSON.stringify([file.toString(), config.name]);
}

/** The agent's name in such a key; the empty text where it is none. */
export function nameOf(key: string): string {
  const parts = parseJson(key);
  const name: unknown = Array.isArray(parts) ? parts[1] : undefined;
  return typeof name === 'string' ? name : '';
}
