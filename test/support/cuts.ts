/**
 * Places at which a file is cut: one in so many bytes, and with them every place around the end of a line and within a
 * character. A step of 1 is every byte.
 */
export function cutsOf(whole: Uint8Array, step: number): readonly number[] {
  const isAtLineEnd = (place: number): boolean =>
    whole.subarray(Math.max(0, place - 2), place + 1).includes(0x0a);
  const isInCharacter = (place: number): boolean => ((whole[place] ?? 0) & 0xc0) === 0x80;
  return Array.from({ length: whole.length + 1 }, (_, place) => place).filter(
    place => place % step === 0 || place === whole.length || isAtLineEnd(place) || isInCharacter(place),
  );
}
