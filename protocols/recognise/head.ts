import { decodeUtf8 } from '../../core/events/bytes.ts';

/**
 * A path without its query, which may hold a credential. Heads are stored byte by byte, so an unescaped path
 * is decoded as UTF-8.
 */
export function pathOf(path: string): string {
  const only = path.replace(/[?#].*/s, '');
  if (!/[\x80-\xff]/.test(only) || /[^\x00-\xff]/.test(only)) return only;
  return decodeUtf8(Uint8Array.from(only, character => character.charCodeAt(0))) ?? only;
}
