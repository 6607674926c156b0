import { joinBytes } from '../../core/text/join-bytes.ts';
import { countCutCharacter, findBadByte } from '../../core/text/utf8.ts';
import { decodeUtf8, readBytes } from '../../core/events/bytes.ts';
import type { KeptBytes } from '../../core/events/events.ts';

const NOTHING = new Uint8Array(0);

/**
 * Makes text of bytes that come in pieces, wherever a character is cut. A byte that belongs to none becomes U+FFFD. Linear.
 */
export class Utf8Reader {
  #waiting = NOTHING;

  push(kept: KeptBytes): string {
    if ('text' in kept && this.#waiting.length === 0) return kept.text;
    const came = readBytes(kept);
    const bytes = this.#waiting.length === 0 ? came : joinBytes([this.#waiting, came]);
    const cut = countCutCharacter(bytes);
    this.#waiting = bytes.slice(bytes.length - cut);
    return decode(bytes.subarray(0, bytes.length - cut));
  }

  /** What is left of a character that was never whole. */
  end(): string {
    const left = decode(this.#waiting);
    this.#waiting = NOTHING;
    return left;
  }
}

function decode(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length;) {
    const rest = bytes.subarray(from);
    const bad = findBadByte(rest);
    parts.push(decodeUtf8(rest.subarray(0, bad ?? rest.length)) ?? '');
    if (bad === undefined) break;
    parts.push('\u{fffd}');
    from += bad + 1;
  }
  return parts.join('');
}
