import type { Member } from '../../../wire/inspector-messages.ts';

/**
 * The label of a tensor in the selector: `layer.0.weight · float32 128×256`, followed by its problem if there
 * is one.
 */
export function describeMember({ name, dtype, shape, problem }: Member): string {
  const type = [dtype, shape.join('×')].filter(part => part !== '').join(' ');
  return [name, type, problem].filter(part => part !== undefined).join(' · ');
}
