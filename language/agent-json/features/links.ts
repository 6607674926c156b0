import { readJsonString } from '../../json/json-tree.ts';
import { listLinks, type LinkList, type LinkSyntax } from '../../links.ts';
import type { AgentJsonDocument } from '../parse.ts';

/** An address ends with its string; an escape may precede it. */
const SYNTAX: LinkSyntax = {
  scheme: /(?:^|[^a-z0-9+.-]|\\[bfnrt])(https?)$/i,
  address: /^(?:\[[0-9a-f:.]+\]|[a-z0-9\u0080-\uffff])[^\s[\]\\"<>|`{}]*/i,
  unescape: raw => readJsonString(`"${raw}"`, { start: 0, end: raw.length + 2 }),
};

/** The first `most` addresses in strings and comments. */
export function links(doc: AgentJsonDocument, most: number): LinkList {
  return listLinks(doc.text, SYNTAX, most);
}
