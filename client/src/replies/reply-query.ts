/** The query of a reply's URI: a number that makes it the only one, and the call. Menus look for `call=` in it. */
export function writeReplyQuery(number: number, call: string | undefined): string {
  return call === undefined || call === '' ? String(number) : `${number}&call=${call}`;
}

/** The call that such a query names, or undefined. */
export function readReplyCall(query: string): string | undefined {
  return /(?:^|&)call=([^&]+)/.exec(query)?.[1];
}
