import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { h, type Content, type View } from '../view.ts';
import { CodeHead } from './code-head.ts';
import { readEntities } from './entities.ts';

/** What the page does for the elements of a text. */
export interface TextHost {
  /** Opens an address after a question. */
  open(address: string): void;
  copy(text: string): void;
}

/** The addresses that a link may have. */
const LINK = /^(?:https?|mailto):[^\s]+$/i;

/**
 * Builds the elements of a section of Markdown. Everything is text or an element of this file: HTML is shown as text, and
 * a picture as a link, so nothing is loaded from anywhere.
 */
export function buildMarkdown(text: string, host: TextHost): Content {
  return buildBlocks(new Lexer({ gfm: true, breaks: true }).lex(text), host);
}

function buildBlocks(tokens: readonly Token[], host: TextHost): Content {
  return tokens.filter(isKnown).map(token => buildBlock(token, host));
}

/** The tokens of the lexer without extensions. */
const TYPES: ReadonlySet<string> = new Set<MarkedToken['type']>([
  ...(['blockquote', 'br', 'checkbox', 'code', 'codespan', 'def', 'del', 'em', 'escape', 'heading'] as const),
  ...(['hr', 'html', 'image', 'link', 'list', 'list_item', 'paragraph', 'space', 'strong'] as const),
  ...(['table', 'text'] as const),
]);

function isKnown(token: Token): token is MarkedToken {
  return TYPES.has(token.type);
}

function buildBlock(token: MarkedToken, host: TextHost): Content {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return undefined;
    case 'heading':
      return h(HEADINGS[token.depth - 1] ?? 'h6', {}, buildInline(token.tokens, host));
    case 'paragraph':
      return h('p', {}, buildInline(token.tokens, host));
    case 'code':
      return buildCode(token, host);
    case 'blockquote':
      return h('blockquote', {}, buildBlocks(token.tokens, host));
    case 'list':
      return buildList(token, host);
    case 'table':
      return buildTable(token, host);
    case 'hr':
      return h('hr', {});
    case 'html':
      return h('p', { class: 'as-text' }, token.raw.trimEnd());
    case 'text':
      return token.tokens ? buildInline(token.tokens, host) : readEntities(token.text);
    default:
      return buildSpan(token, host);
  }
}

/** A reply is below the title of its page. */
const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

function buildCode({ lang, text }: Tokens.Code, host: TextHost): View {
  return h(
    'div',
    { class: 'code-block' },
    h(CodeHead, { title: (lang ?? '').trim(), what: 'code', onCopy: () => host.copy(text) }),
    h('pre', { tabIndex: 0, 'aria-label': 'Code' }, h('code', {}, text)),
  );
}

function buildList({ ordered, start, items }: Tokens.List, host: TextHost): View {
  const content = items.map(item => {
    if (!item.task) return h('li', {}, buildBlocks(item.tokens, host));
    // A text beside the box says the same, for those who do not see it.
    const state = item.checked ? 'Done' : 'To do';
    return h(
      'li',
      { class: 'task' },
      h('input', { type: 'checkbox', disabled: true, checked: item.checked === true, 'aria-label': state }),
      buildBlocks(item.tokens, host),
    );
  });
  return ordered ? h('ol', { start: start === '' ? 1 : start }, content) : h('ul', {}, content);
}

function buildTable({ header, rows }: Tokens.Table, host: TextHost): View {
  const cell = (tag: 'th' | 'td', { tokens, align }: Tokens.TableCell): View =>
    h(tag, { class: align ? `align-${align}` : undefined }, buildInline(tokens, host));
  const head = header.map(each => cell('th', each));
  const lines = rows.map(row => {
    const cells = row.map(each => cell('td', each));
    return h('tr', {}, cells);
  });
  const table = h('table', {}, h('thead', {}, h('tr', {}, head)), h('tbody', {}, lines));
  return h('div', { class: 'table', tabIndex: 0, role: 'group', 'aria-label': 'Table' }, table);
}

function buildInline(tokens: readonly Token[], host: TextHost): Content {
  return tokens.filter(isKnown).map(token => buildSpan(token, host));
}

function buildSpan(token: MarkedToken, host: TextHost): Content {
  switch (token.type) {
    case 'strong':
      return h('strong', {}, buildInline(token.tokens, host));
    case 'em':
      return h('em', {}, buildInline(token.tokens, host));
    case 'del':
      return h('del', {}, buildInline(token.tokens, host));
    case 'codespan':
      return h('code', {}, token.text);
    case 'br':
      return h('br', {});
    case 'link':
      return buildLink(token.href, buildInline(token.tokens, host), host);
    case 'image':
      return buildLink(token.href, `Picture: ${readEntities(token.text) || token.href}`, host);
    case 'html':
      return token.raw;
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? buildInline(token.tokens, host) : readEntities(token.text);
    case 'checkbox':
      return undefined;
    default:
      return token.raw;
  }
}

/** A link that asks before it opens; any other address is text. */
function buildLink(address: string, content: Content, host: TextHost): Content {
  if (!LINK.test(address)) return [content, ` (${address})`];
  return h(
    'button',
    { class: 'link', type: 'button', role: 'link', title: address, onClick: () => host.open(address) },
    content,
  );
}
