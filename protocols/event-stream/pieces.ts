/** True where a text begins with these pieces, one behind the other. They are not joined for that: they may be long. */
export function startsWithPieces(text: string, pieces: readonly string[]): boolean {
  let at = 0;
  for (const piece of pieces) {
    // Comparing is faster than `startsWith`, which looks at one character after the other.
    if (text.slice(at, at + piece.length) !== piece) return false;
    at += piece.length;
  }
  return true;
}

/** Characters of all pieces. */
export function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
