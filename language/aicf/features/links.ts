import { listLinks, type LinkList, type LinkSyntax } from '../../links.ts';
import { decodeField } from '../codec.ts';
import type { AicfDocument } from '../parse.ts';

/** An address ends with its field, or in JSON with its string. A `|` in it is escaped, and an escape may precede it. */
const SYNTAX: LinkSyntax = {
  scheme: /(?:^|[^a-z0-9+.-]|\\[nt])(https?)$/i,
  address: /^(?:\[[0-9a-f:.]+\]|[a-z0-9\u0080-\uffff])(?:[^\s[\]\\"<>|`{}]|\\\|)*/i,
  unescape: raw => decodeField(raw, 'response'),
};

/** The first `most` addresses in fields, container lines and context files. */
export function links(doc: AicfDocument, most: number): LinkList {
  return listLinks(doc.text, SYNTAX, most);
}
