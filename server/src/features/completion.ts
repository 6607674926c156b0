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
  MOST_COMPLETIONS,
  type Completion,
  type CompletionKind,
  type OpenDocument,
} from '../../../language/support.ts';
import { completeVariable } from '../../../language/variables/complete.ts';
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

/** What a client said of the proposals that it can show. */
interface ItemSupport {
  readonly snippets: boolean;
  readonly commitCharacters: boolean;
  /** True where it asks for the documentation of the one proposal that it shows. */
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
      // A brace asks only for variables.
      (typed === '{' ? [] : document.complete(offset, { typed, agents }));
    const support = supportOf(host.client);
    const items = found.map(item => toItem(snapshot, offset, item, support));
    return found.length < MOST_COMPLETIONS ? items : { isIncomplete: true, items };
  },
});

/** Proposals for the place of the cursor. Their documentation is built when a client asks for it. */
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

/** Of a proposal that can be described later: the document and the topic. */
const isDescribed = isShape<{ uri: string; topic: string }>({ uri: isString, topic: isString });

/** The proposal with its documentation; as it is where its document was closed meanwhile. */
function resolve(item: CompletionItem, host: FeatureHost): CompletionItem {
  const data: unknown = item.data;
  if (!isDescribed(data)) return item;
  const markdown = host.documents.find(data.uri)?.document.describe(data.topic);
  if (markdown === undefined) return item;
  return { ...item, documentation: toMarkup(markdown, supportOf(host.client).formats) };
}

/** A proposal for a cursor at an offset. A client that knows no snippets gets the text without its stops. */
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
    ...tellOf(document, uri, completion, support),
    sortText: `${String(rank).padStart(4, '0')} ${label}`,
    ...(filterText === label ? {} : { filterText }),
    insertTextFormat: asSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: toRange(document, span), newText: asSnippet ? completion.newText : plain },
    ...(otherEdits ? { additionalTextEdits: toTextEdits(document, otherEdits) } : {}),
    ...(commit !== undefined && support.commitCharacters ? { commitCharacters: [...commit] } : {}),
  };
}

/** What a client needs to ask for the documentation, or the documentation itself for one that does not ask. */
function tellOf(
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

/** Editors compare what stands before the cursor in the replaced range with this text, not only with the label. */
function filterTextFor(typed: string, label: string, newText: string): string {
  const start = typed.toLowerCase();
  if (label.toLowerCase().startsWith(start)) return label;
  if (newText.toLowerCase().startsWith(start)) return newText;
  // Neither begins as what was typed does, as where a comma is written before it: the rest is compared by the label.
  return /^[\w.-]/.test(typed) ? label : `${typed}${label}`;
}
