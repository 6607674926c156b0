import { parseJson } from '../../../core/text/json.ts';
import type { FoundAgent } from './agent-files.ts';

/** The key of an agent's connection: file and name. */
export function keyOf({ config, file }: FoundAgent): string {
  return JSON.stringify([file.toString(), config.name]);
}

/** The agent's name in such a key; empty for any other text. */
export function nameOf(key: string): string {
  const parts = parseJson(key);
  const name: unknown = Array.isArray(parts) ? parts[1] : undefined;
  return typeof name === 'string' ? name : '';
}
