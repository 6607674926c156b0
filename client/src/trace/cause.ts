/** How a sentence about an exchange begins: what was tried, which a row names already. */
const TRIED = /^Tried [A-Z]+ \S+?(?:, but |, and |: )/;

/** A failure's sentence for a narrow row: what went wrong first. */
export function leadWithCause(message: string): string {
  const cause = message.replace(TRIED, '');
  return cause === message ? message : cause.replace(/^\p{Ll}/u, first => first.toUpperCase());
}
