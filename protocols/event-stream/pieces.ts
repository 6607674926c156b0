/** True where a text begins with these pieces in order. They may be long, so they are not joined for the comparison. */
export function startsWithPieces(text: string, pieces: readonly string[]): boolean {
  let at = 0;
  for (const piece of pieces) {
    // Comparing slices is faster than `startsWith`, which compares character by character.
    if (text.slice(at, at + piece.length) !== piece) return false;
    at += piece.length;
  }
  return true;
}

/** The total length of the pieces. */
export function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
