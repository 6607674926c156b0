/** The query of a reply's URI: a number that makes it unique, and the call. Menus match `call=` in it. */
export function writeReplyQuery(number: number, call: string | undefined): string {
  return call === undefined || call === '' ? String(number) : `${number}&call=${call}`;
}

/** The call in such a query; undefined if there is none. */
export function readReplyCall(query: string): string | undefined {
  return /(?:^|&)call=([^&]+)/.exec(query)?.[1];
}
