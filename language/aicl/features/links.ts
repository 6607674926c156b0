import { listLinks, type LinkList, type LinkSyntax } from '../../links.ts';
import type { AiclDocument } from '../document.ts';
import { unescapeText } from '../escapes.ts';

/** An address ends with its text. Closing brackets in it are escaped; the opening bracket of an IPv6 address is not. */
const SYNTAX: LinkSyntax = {
  scheme: /(?:^|[^a-z0-9+.-])(https?)$/i,
  address: /^(?:\[[0-9a-f:.]+\\u005d|[a-z0-9\u0080-\uffff])(?:[^\s[\]\\"<>|`{}]|\\u005d)*/i,
  unescape: unescapeText,
};

/** The first `most` addresses in texts and container lines. Tensor data cannot contain addresses. */
export function links(doc: AiclDocument, most: number): LinkList {
  return listLinks(doc.text, SYNTAX, most);
}
