import { joinBytes, decodeUtf8, readBytes } from '../../core/events/bytes.ts';
import { countCutCharacter, findBadByte } from '../../core/text/utf8.ts';
import type { StoredBytes } from '../../core/events/events.ts';

const NOTHING = new Uint8Array(0);

/** Decodes UTF-8 bytes that arrive in pieces, which may split a character. Each invalid byte becomes U+FFFD. Linear. */
export class Utf8Reader {
  #waiting = NOTHING;

  push(retained: StoredBytes): string {
    if ('text' in retained && this.#waiting.length === 0) return retained.text;
    const came = readBytes(retained);
    const bytes = this.#waiting.length === 0 ? came : joinBytes([this.#waiting, came]);
    const cut = countCutCharacter(bytes);
    this.#waiting = bytes.slice(bytes.length - cut);
    return decode(bytes.subarray(0, bytes.length - cut));
  }

  /** Decodes the rest of an incomplete character. */
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
