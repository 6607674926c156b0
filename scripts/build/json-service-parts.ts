/*
 * Takes the place of two packages that the JSON language service imports, because they come without the texts of
 * their licences: `@vscode/l10n` has none, and `vscode-uri` contains another package without naming it.
 */

/** Fills values into an English message. */
export function t(message: string, ...values: readonly (string | number)[]): string {
  return message.replaceAll(/\{(\d+)\}/g, (found, index: string) => String(values[Number(index)] ?? found));
}

interface ServiceUri {
  readonly scheme: string;
  /** The same address without query and fragment: the service asks for nothing else. */
  readonly with: () => ServiceUri;
  readonly toString: () => string;
}

export const URI = {
  /** Throws a TypeError if the text is no URL. */
  parse: (text: string): ServiceUri => toUri(new URL(text)),
};

function toUri(url: URL): ServiceUri {
  const bare = new URL(url);
  bare.search = '';
  bare.hash = '';
  return { scheme: url.protocol.slice(0, -1), with: () => toUri(bare), toString: () => url.href };
}
