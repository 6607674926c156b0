import type { LanguageId } from '../core/catalog/languages.ts';
import type { RuleCode } from '../core/catalog/rules.ts';
import type { Settings } from '../core/catalog/settings.ts';
import type { Edits, TextEdit } from '../core/text/edit.ts';
import type { Issue } from '../core/text/issue.ts';
import type { SourceText } from '../core/text/source-text.ts';
import type { Span } from '../core/text/span.ts';
import type { DialectReading } from './dialect.ts';
import type { Directives } from './directives.ts';
import type { Exchange, TextHint, FoldList, Landmark, Signature, TensorPlace } from './feature-results.ts';
import type { Name, NameOccurrence } from './names.ts';
import { DEFAULT_FORMAT, type FormatOptions, type Rewrite } from './format.ts';
import type { LinkList } from './links.ts';
import type { TextPlace } from './text-place.ts';
import type { PackedTokens } from './tokens.ts';
import type { Definition } from './variables.ts';
import { NO_AGENT_TOOLS, NO_TOOLS, type AgentTools, type ToolTable } from './tools.ts';

/** Hover content for the text at the cursor. */
export interface Hover {
  readonly span: Span;
  /** Markdown; text from the document in it is escaped. */
  readonly markdown: string;
  /** Draws a picture that is shown below the text. */
  readonly draw?: (() => HoverPicture | undefined) | undefined;
}

/** A small picture shown next to a text. */
export interface HoverPicture {
  /** The bytes of a PNG file. */
  readonly png: Uint8Array;
  /** Equivalent plain text. */
  readonly alt: string;
}

export const COMPLETION_KINDS = ['message', 'field', 'type', 'value', 'command', 'tool'] as const;
export type CompletionKind = (typeof COMPLETION_KINDS)[number];

/** One completion. Accepting it replaces `span`, which contains the cursor, with `newText`. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A short text next to the label. */
  readonly detail: string;
  /** A key for the document's `describe`, which returns the documentation. */
  readonly topic?: string;
  readonly span: Span;
  /** Plain text, or with `isSnippet` a snippet in the LSP's syntax. */
  readonly newText: string;
  readonly isSnippet: boolean;
  /** Additional edits, such as a missing comma before the completion. They do not touch `span`. */
  readonly otherEdits?: readonly TextEdit[];
  /** Characters that accept the completion when typed; set only if no other text is valid here. */
  readonly commit?: string;
  /** Sort key; completions with equal rank are sorted by label. */
  readonly rank: number;
}

/** Context of a completion request, apart from its offset. */
export interface CompletionContext {
  /** The character that triggered the request automatically. */
  readonly typed?: string | undefined;
  /** The agents known to the client. */
  readonly agents?: readonly string[];
}

/**
 * Maximum number of completions. A list of this length may be incomplete, so the client should ask again as
 * the user types.
 */
export const MAX_COMPLETIONS = 500;

export const SYMBOL_KINDS = ['message', 'call', 'reply', 'field', 'section', 'error'] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** An entry of the outline. `nameSpan` lies in `span`; children lie in their parent. */
export interface OutlineSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: SymbolKind;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly OutlineSymbol[];
}

/** A message or line that can be sent to an agent. */
export interface SendableRequest {
  /** The span of the message in the document. */
  readonly span: Span;
  /** The tool, query or message type, shown in lists of calls. */
  readonly title: string;
  /** The directives in the container lines above it. */
  readonly directives: Directives;
  /** The payloads in it; their white space is not sent. */
  readonly payloads: readonly Span[];
  /** The text that is sent. */
  readonly wireText: string;
  /** The name of the protocol that it is written for; undefined where it can be sent to agents of several. */
  readonly protocol?: string;
  /** Why it can never be sent in this form; undefined if it can be sent. */
  readonly refusal: string | undefined;
}

/** All operations on a document. Positions are UTF-16 offsets. No method throws. */
export interface OpenDocument {
  readonly language: LanguageId;
  readonly text: SourceText;
  /** The text for readers of messages: with blanks in place of comments, so that all offsets are the same. */
  plainText(): SourceText;
  /** The detected dialect; undefined for languages without dialects. */
  dialect(): DialectReading | undefined;
  /** Returns the document after an edit of its text; this one does not change. */
  edit(edit: TextEdit): OpenDocument;
  /** The tools that the text declares, by agent. Returns the same object until the declarations change. */
  agentTools(): AgentTools;
  /**
   * Returns the document with tool declarations from other files or from agents. Declarations in this file
   * take precedence over other files; what an agent itself reports takes precedence over both.
   */
  withTools(others: AgentTools): OpenDocument;
  /** All issues in text order, at most `settings.maxIssues`; the last one gives the number of omitted issues. */
  validate(): readonly Issue<RuleCode>[];
  hover(offset: number): Hover | undefined;
  /** Completions at an offset, at most `MAX_COMPLETIONS`. */
  complete(offset: number, context?: CompletionContext): readonly Completion[];
  /** The documentation of a completion by its topic, as Markdown; undefined for an unknown topic. */
  describe(topic: string): string | undefined;
  /** The signature of the call at an offset; undefined if there is no call. */
  signature(offset: number): Signature | undefined;
  symbols(): readonly OutlineSymbol[];
  /** The first `most` foldable ranges. */
  folds(most?: number): FoldList;
  /** The semantic tokens in a span. */
  tokens(span: Span): PackedTokens;
  /** The inlay hints in a span. */
  hints(span: Span): readonly TextHint[];
  /** The first `most` addresses that can be opened. */
  links(most: number): LinkList;
  /** Edits that format the whole text; unreadable parts are left unchanged. */
  format(options?: FormatOptions): Edits;
  /** The same for the messages or lines that a range touches. */
  formatRange(range: Span, options: FormatOptions): Edits;
  /** Edits of the white space around the character that was just typed before the offset. */
  formatTyped(offset: number, character: string, options: FormatOptions): readonly TextEdit[];
  /** The text value of a message at an offset. */
  textAt(offset: number): TextPlace | undefined;
  /** Equivalent ways to write what a range touches; values longer than `most` characters are skipped. */
  rewrites(range: Span, most: number): readonly Rewrite[];
  /** The tensors that touch a span, or all tensors, in text order; read lazily. */
  tensors(within?: Span): Iterable<TensorPlace>;
  /**
   * The messages that touch a span, or all messages, in text order; read lazily. Container lines directly
   * above a message count as touching it but are not part of its span.
   */
  messages(within?: Span): Iterable<Span>;
  /**
   * The tools known for the calls in a span or in the whole text. If several agents are called, only tools
   * that all of them declare alike.
   */
  tools(within?: Span): ToolTable;
  /** The requests in text order, each with its directives; at most `max` if given. */
  requests(max?: number): readonly SendableRequest[];
  /** The variables and named requests that container lines define, in text order. */
  definitions(): readonly Definition[];
  /** The name at an offset. */
  nameAt(offset: number): NameOccurrence | undefined;
  /** The occurrences of a name in text order, in the whole text or in a span; read lazily. */
  findName(name: Name, within?: Span): Iterable<NameOccurrence>;
  /** Returns a new name in the notation of the occurrence that it replaces. */
  writeName(place: NameOccurrence, newName: string): string;
  /** The entries of this file in the workspace symbol search. */
  landmarks(): readonly Landmark[];
  /** The requests with their replies. */
  exchanges(): readonly Exchange[];
  /** The spans of an expanding selection at an offset, from inner to outer; the last is the whole text. */
  selectionPath(offset: number): readonly Span[];
}

/** A parsed text, as the functions of a language share it. */
export interface ParsedText {
  readonly text: SourceText;
  readonly settings: Settings;
}

/** The functions that only some languages need, such as those with several dialects or with tensors. */
type Rare =
  | 'plainText'
  | 'dialect'
  | 'agentTools'
  | 'signature'
  | 'textAt'
  | 'rewrites'
  | 'tensors'
  | 'tools';

/** The operations on a document as functions of the parsed text; a span that may be left out is that of the text. */
type Operations<Doc> = {
  [Name in Exclude<keyof OpenDocument, 'language' | 'text' | 'edit' | 'withTools' | 'format'>]: (
    doc: Doc,
    ...rest: Required<Parameters<OpenDocument[Name]>>
  ) => ReturnType<OpenDocument[Name]>;
};

/** The functions of a language, each of which works on the parsed text. */
export interface LanguageParts<Doc extends ParsedText>
  extends Omit<Operations<Doc>, Rare>, Partial<Pick<Operations<Doc>, Rare>> {
  parse(text: string, settings: Settings): Doc;
  /** Parses without the data structures that make edits cheap; by default `parse`. */
  parseOnce?(text: string, settings: Settings): Doc;
  /** The document after an edit; equal to `parse` of the new text. Without this member the new text is parsed. */
  edit?(doc: Doc, edit: TextEdit): Doc;
  /** Only for languages whose calls are checked against tool declarations. */
  withTools?(doc: Doc, others: AgentTools): Doc;
}

/** The entry points of a language for the server, the command line and the tests. */
export interface LanguageSupport {
  readonly id: LanguageId;
  open(text: string, settings: Settings): OpenDocument;
  /** Opens a text that will not be edited; needs less memory. */
  openOnce(text: string, settings: Settings): OpenDocument;
}

/** Binds the functions of a language to its documents. */
export function bindLanguage<Doc extends ParsedText>(
  id: LanguageId,
  parts: LanguageParts<Doc>,
): LanguageSupport {
  const bind = (doc: Doc): OpenDocument => ({
    language: id,
    text: doc.text,
    plainText: () => parts.plainText?.(doc) ?? doc.text,
    dialect: () => parts.dialect?.(doc),
    edit: edit => bind(parts.edit?.(doc, edit) ?? parts.parse(String(doc.text.edit(edit)), doc.settings)),
    agentTools: () => parts.agentTools?.(doc) ?? NO_AGENT_TOOLS,
    withTools: others => bind(parts.withTools?.(doc, others) ?? doc),
    validate: () => parts.validate(doc),
    hover: offset => parts.hover(doc, offset),
    complete: (offset, context = {}) => parts.complete(doc, offset, context).slice(0, MAX_COMPLETIONS),
    describe: topic => parts.describe(doc, topic),
    signature: offset => parts.signature?.(doc, offset),
    symbols: () => parts.symbols(doc),
    folds: (most = Infinity) => parts.folds(doc, most),
    tokens: span => parts.tokens(doc, span),
    hints: span => parts.hints(doc, span),
    links: most => parts.links(doc, most),
    format: (options = DEFAULT_FORMAT) => parts.formatRange(doc, { start: 0, end: doc.text.length }, options),
    formatRange: (range, options) => parts.formatRange(doc, range, options),
    formatTyped: (offset, character, options) => parts.formatTyped(doc, offset, character, options),
    textAt: offset => parts.textAt?.(doc, offset),
    rewrites: (range, most) => parts.rewrites?.(doc, range, most) ?? [],
    tensors: (within = { start: 0, end: doc.text.length }) => parts.tensors?.(doc, within) ?? [],
    messages: (within = { start: 0, end: doc.text.length }) => parts.messages(doc, within),
    tools: (within = { start: 0, end: doc.text.length }) => parts.tools?.(doc, within) ?? NO_TOOLS,
    requests: (max = Infinity) => parts.requests(doc, max),
    definitions: () => parts.definitions(doc),
    nameAt: offset => parts.nameAt(doc, offset),
    findName: (name, within = { start: 0, end: doc.text.length }) => parts.findName(doc, name, within),
    writeName: (place, newName) => parts.writeName(doc, place, newName),
    landmarks: () => parts.landmarks(doc),
    exchanges: () => parts.exchanges(doc),
    selectionPath: offset => parts.selectionPath(doc, offset),
  });
  return {
    id,
    open: (text, settings) => bind(parts.parse(text, settings)),
    openOnce: (text, settings) => bind(parts.parseOnce?.(text, settings) ?? parts.parse(text, settings)),
  };
}
