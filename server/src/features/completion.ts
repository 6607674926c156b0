import {
  CompletionItemKind,
  CompletionRequest,
  CompletionResolveRequest,
  InsertTextFormat,
  type ClientCapabilities,
  type CompletionItem,
  type MarkupKind,
} from 'vscode-languageserver';
import { LANGUAGES } from '../../../core/catalog/languages.ts';
import {
  MAX_COMPLETIONS,
  type Completion,
  type CompletionKind,
  type OpenDocument,
} from '../../../language/support.ts';
import { completeVariable } from '../../../language/variables/editing.ts';
import { isShape, isString } from '../../../core/guard.ts';
import { guardRequest } from '../guard.ts';
import { toOffset, toRange, toTextEdits } from '../lsp.ts';
import { toMarkup } from '../markup.ts';
import { plainOfSnippet } from '../snippet.ts';
import type { Snapshot } from '../documents.ts';
import { requestFeature, type Feature, type FeatureHost } from './feature.ts';

const TRIGGERS: readonly string[] = [...new Set(LANGUAGES.flatMap(row => row.completionTriggers))];

const KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  message: CompletionItemKind.Struct,
  field: CompletionItemKind.Field,
  type: CompletionItemKind.TypeParameter,
  value: CompletionItemKind.Value,
  command: CompletionItemKind.Keyword,
  tool: CompletionItemKind.Function,
};

/** The completion capabilities of a client. */
interface ItemSupport {
  readonly snippets: boolean;
  readonly commitCharacters: boolean;
  /** True if the client requests the documentation of single completions. */
  readonly resolves: boolean;
  readonly formats: readonly MarkupKind[] | undefined;
}

const list = requestFeature({
  name: 'completion',
  type: CompletionRequest.type,
  capabilities: () => ({
    completionProvider: { triggerCharacters: [...TRIGGERS], resolveProvider: true },
  }),
  neutral: null,
  answer(snapshot, params, host) {
    const { document } = snapshot;
    const offset = toOffset(document, params.position);
    const typed = params.context?.triggerCharacter;
    const { agents, environment, secrets } = host.options();
    const found =
      completeVariable(document, offset, { environment, secrets }) ??
      // A typed brace triggers completion of variables only.
      (typed === '{' ? [] : document.complete(offset, { typed, agents }));
    const support = supportOf(host.client);
    const items = found.map(item => toItem(snapshot, offset, item, support));
    return found.length < MAX_COMPLETIONS ? items : { isIncomplete: true, items };
  },
});

/** Completions at the cursor. Their documentation is built on request. */
export const completion: Feature = {
  ...list,
  register(host) {
    list.register(host);
    host.connection.onRequest(CompletionResolveRequest.type, (item, token) =>
      guardRequest(host, { feature: 'completion' }, item, token, () => resolve(item, host)),
    );
  },
};

function supportOf(client: ClientCapabilities): ItemSupport {
  const item = client.textDocument?.completion?.completionItem;
  return {
    snippets: item?.snippetSupport === true,
    commitCharacters: item?.commitCharactersSupport === true,
    resolves: item?.resolveSupport?.properties.includes('documentation') === true,
    formats: item?.documentationFormat,
  };
}

/** The data of a completion whose documentation can be requested: document and topic. */
const isDescribed = isShape({ uri: isString, topic: isString });

/** Adds the documentation to a completion; unchanged if the document has been closed. */
function resolve(item: CompletionItem, host: FeatureHost): CompletionItem {
  const data: unknown = item.data;
  if (!isDescribed(data)) return item;
  const markdown = host.documents.find(data.uri)?.document.describe(data.topic);
  if (markdown === undefined) return item;
  return { ...item, documentation: toMarkup(markdown, supportOf(host.client).formats) };
}

/** Converts a completion for a cursor at an offset. Clients without snippet support get the text without tab stops. */
function toItem(
  { document, uri }: Snapshot,
  offset: number,
  completion: Completion,
  support: ItemSupport,
): CompletionItem {
  const { label, kind, detail, rank, span, otherEdits, commit } = completion;
  const asSnippet = completion.isSnippet && support.snippets;
  const plain = completion.isSnippet ? plainOfSnippet(completion.newText) : completion.newText;
  const filterText = filterTextFor(document.text.slice(span.start, offset), label, plain);
  return {
    label,
    kind: KINDS[kind],
    detail,
    ...documentationOf(document, uri, completion, support),
    sortText: `${String(rank).padStart(4, '0')} ${label}`,
    ...(filterText === label ? {} : { filterText }),
    insertTextFormat: asSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: toRange(document, span), newText: asSnippet ? completion.newText : plain },
    ...(otherEdits ? { additionalTextEdits: toTextEdits(document, otherEdits) } : {}),
    ...(commit !== undefined && support.commitCharacters ? { commitCharacters: [...commit] } : {}),
  };
}

/** The data for requesting the documentation, or the documentation itself if the client cannot request it. */
function documentationOf(
  document: OpenDocument,
  uri: string,
  { topic }: Completion,
  support: ItemSupport,
): Pick<CompletionItem, 'data' | 'documentation'> {
  if (topic === undefined) return {};
  if (support.resolves) return { data: { uri, topic } };
  const markdown = document.describe(topic);
  return markdown === undefined ? {} : { documentation: toMarkup(markdown, support.formats) };
}

/** The text that editors compare with the part of the replaced range before the cursor. */
function filterTextFor(typed: string, label: string, newText: string): string {
  const start = typed.toLowerCase();
  if (label.toLowerCase().startsWith(start)) return label;
  if (newText.toLowerCase().startsWith(start)) return newText;
  // Neither starts with the typed text, as when a comma is inserted before the completion: the label is
  // compared instead.
  return /^[\w.-]/.test(typed) ? label : `${typed}${label}`;
}
