import type { ReplyParts, TracePart } from '../protocols/reply-parts/part.ts';

/** A part without what its receiver has already. */
export interface SentPart extends Omit<TracePart, 'children'> {
  /** The number of characters of the text that were sent before; `text` has the rest. Missing if 0. */
  readonly prefix?: number;
  /** True if the bytes of the medium were sent before. */
  readonly hasBytes?: true;
  readonly children: readonly SentPart[];
}

interface Known {
  readonly text: string;
  readonly base64: string | undefined;
}

/** Sends a growing reply again and again, each text and each medium only once. */
export class PartsSender {
  #known = new Map<string, Known>();

  send({ parts }: Pick<ReplyParts, 'parts'>): readonly SentPart[] {
    const known = this.#known;
    this.#known = new Map();
    return parts.map(part => this.#toSent(part, known));
  }

  #toSent(part: TracePart, known: ReadonlyMap<string, Known>): SentPart {
    const { id, text = '', medium, children } = part;
    const before = known.get(id);
    this.#known.set(id, { text, base64: medium?.base64 });
    const prefix = before && text.startsWith(before.text) ? before.text.length : 0;
    const hasBytes = medium?.base64 !== undefined && before?.base64 === medium.base64;
    return {
      ...part,
      // The times of pieces are not shown.
      ticks: [],
      ...(prefix > 0 ? { prefix, text: text.slice(prefix) } : {}),
      ...(medium && hasBytes ? { medium: { ...medium, base64: '' }, hasBytes } : {}),
      children: children.map(child => this.#toSent(child, known)),
    };
  }
}

/** Receives what a `PartsSender` sends. */
export class PartsReceiver {
  #known = new Map<string, Known>();

  take(sent: readonly SentPart[]): readonly TracePart[] {
    const known = this.#known;
    this.#known = new Map();
    return sent.map(part => this.#toPart(part, known));
  }

  #toPart(sent: SentPart, known: ReadonlyMap<string, Known>): TracePart {
    const { prefix = 0, hasBytes, children, medium, ...part } = sent;
    const before = known.get(part.id);
    const text = prefix === 0 ? part.text : `${before?.text.slice(0, prefix) ?? ''}${part.text ?? ''}`;
    const whole = medium && hasBytes && before?.base64 ? { ...medium, base64: before.base64 } : medium;
    this.#known.set(part.id, { text: text ?? '', base64: whole?.base64 });
    return {
      ...part,
      ...(text === undefined ? {} : { text }),
      ...(whole && { medium: whole }),
      children: children.map(child => this.#toPart(child, known)),
    };
  }
}
