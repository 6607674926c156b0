import type { Member } from '../../../wire/inspector-messages.ts';

/** A tensor of a file in a list: `layer.0.weight · float32 128×256`, with what is wrong with one that cannot be shown. */
export function describeMember({ name, dtype, shape, problem }: Member): string {
  const type = [dtype, shape.join('×')].filter(part => part !== '').join(' ');
  return [name, type, problem].filter(part => part !== undefined).join(' · ');
}
