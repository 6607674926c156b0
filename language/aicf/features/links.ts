import { listLinks, type LinkList, type LinkSyntax } from '../../links.ts';
import { decodeField } from '../codec.ts';
import type { AicfDocument } from '../parse.ts';

/** An address ends with its field, and in JSON with its string. A `|` in it is escaped, and an escape may go before. */
const SYNTAX: LinkSyntax = {
  scheme: /(?:^|[^a-z0-9+.-]|\\[nt])(https?)$/i,
  address: /^(?:\[[0-9a-f:.]+\]|[a-z0-9\u0080-\uffff])(?:[^\s[\]\\"<>|`{}]|\\\|)*/i,
  unescape: raw => decodeField(raw, 'response'),
};

/** The addresses in fields, container lines and context files, the first `most` of them. */
export function links(doc: AicfDocument, most: number): LinkList {
  return listLinks(doc.text, SYNTAX, most);
}
