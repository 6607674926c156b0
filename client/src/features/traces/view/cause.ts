/** The beginning of an error message about an exchange: the attempted request, which a row names already. */
const TRIED = /^Tried [A-Z]+ \S+?(?:, but |, and |: )/;

/** Shortens an error message for a narrow row, so that it begins with the cause. */
export function leadWithCause(message: string): string {
  const cause = message.replace(TRIED, '');
  return cause === message ? message : cause.replace(/^\p{Ll}/u, first => first.toUpperCase());
}
