import type { LanguageId } from '../core/catalog/languages.ts';
import type { RuleCode } from '../core/catalog/rules.ts';
import type { Settings } from '../core/catalog/settings.ts';
import type { TextEdit } from '../core/text/edit.ts';
import type { Issue } from '../core/text/issue.ts';
import type { SourceText } from '../core/text/source-text.ts';
import type { Span } from '../core/text/span.ts';
import type { DialectReading } from './dialect.ts';
import type { Directives } from './directives.ts';
import type { Exchange } from './exchanges.ts';
import type { Landmark } from './landmarks.ts';
import type { Name, NameOccurrence } from './names.ts';
import type { FormatOptions, Rewrite } from './format.ts';
import type { FoldList } from './folds.ts';
import type { TextHint } from './hints.ts';
import type { LinkList } from './links.ts';
import type { Signature } from './signature.ts';
import type { TensorPlace } from './tensors.ts';
import type { TextPlace } from './text-place.ts';
import type { PackedTokens } from './tokens.ts';
import type { Definition } from './variables.ts';
import { NO_AGENT_TOOLS, type AgentTools, type ToolTable } from './tools.ts';

/** Help for the thing under the cursor. */
export interface Hover {
  readonly span: Span;
  /** Markdown; text from the document in it is escaped. */
  readonly markdown: string;
  /** Draws a picture to show below the text. */
  readonly draw?: (() => HoverPicture | undefined) | undefined;
}

/** A small picture beside a text. */
export interface HoverPicture {
  /** The bytes of a PNG file. */
  readonly png: Uint8Array;
  /** Plain text that says the same. */
  readonly alt: string;
}

export const COMPLETION_KINDS = ['message', 'field', 'type', 'value', 'command', 'tool'] as const;
export type CompletionKind = (typeof COMPLETION_KINDS)[number];

/** One proposal. Accepting it replaces `span`, which holds the cursor, by `newText`. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A few words beside the label. */
  readonly detail: string;
  /** What it is about: the document's `describe` tells of it. */
  readonly topic?: string;
  readonly span: Span;
  /** Plain text, or with `isSnippet` a snippet in the LSP's syntax. */
  readonly newText: string;
  readonly isSnippet: boolean;
  /** Edits elsewhere that belong to it, such as a comma that is missing before it. They touch `span` nowhere. */
  readonly otherEdits?: readonly TextEdit[];
  /** Characters that accept it when they are typed; only where no other text may stand in its place. */
  readonly commit?: string;
  /** Proposals are listed by this, then by label. */
  readonly rank: number;
}

/** What is known of a request for proposals beside its place. */
export interface CompletionContext {
  /** The character that made an editor ask by itself. */
  readonly typed?: string | undefined;
  /** The agents that the client knows. */
  readonly agents?: readonly string[];
}

/** A list of this many proposals may lack some: whoever types on should ask again. */
export const MOST_COMPLETIONS = 500;

export const SYMBOL_KINDS = ['message', 'call', 'reply', 'field', 'section', 'error'] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** A line of the outline. `nameSpan` lies in `span`; children lie in their parent. */
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
  /** The message as it stands in the text. */
  readonly span: Span;
  /** The tool, query or message type: what a list of calls shows. */
  readonly title: string;
  /** What the container lines above it say. */
  readonly directives: Directives;
  /** The payloads in it, whose white space is not sent. */
  readonly payloads: readonly Span[];
  /** What goes over the wire for it. */
  readonly wireText: string;
  /** Why it can never be sent as it stands, whatever the user says; undefined where nothing forbids it. */
  readonly refusal: string | undefined;
}

/** What a document in one of our languages can answer. Positions are UTF-16 offsets. Nothing here throws. */
export interface OpenDocument {
  readonly language: LanguageId;
  readonly text: SourceText;
  /** The dialect that the text is read in; undefined for a language that has one only. */
  dialect(): DialectReading | undefined;
  /** The document after an edit of its text; this one stays as it is. */
  edit(edit: TextEdit): OpenDocument;
  /** What the text says of the tools of each agent that it names: the same object as long as it says the same. */
  agentTools(): AgentTools;
  /**
   * The document with what other files, or agents themselves, say of tools; what a file says itself comes before what
   * others say, and what its agent says before both.
   */
  withTools(others: AgentTools): OpenDocument;
  /** All issues in order of their place, at most `settings.maxIssues`, the last one naming how many more there are. */
  validate(): readonly Issue<RuleCode>[];
  hover(offset: number): Hover | undefined;
  /** Proposals, at most `MOST_COMPLETIONS`. */
  complete(offset: number, context?: CompletionContext): readonly Completion[];
  /** The documentation of a proposal by its topic, as Markdown; undefined for a text that is none. */
  describe(topic: string): string | undefined;
  /** The signature of the call at an offset; undefined where none stands. */
  signature(offset: number): Signature | undefined;
  symbols(): readonly OutlineSymbol[];
  /** What can be folded: at most `most` parts, the first ones. */
  folds(most?: number): FoldList;
  /** The coloured pieces that lie in a span. */
  tokens(span: Span): PackedTokens;
  /** What is shown in a span although it does not stand there. */
  hints(span: Span): readonly TextHint[];
  /** Addresses that can be opened, at most `most`, the first ones. */
  links(most: number): LinkList;
  /** Edits that format the whole text; what cannot be read is left as it is. */
  format(options?: FormatOptions): readonly TextEdit[];
  /** The same for the messages or lines that a range touches. */
  formatRange(range: Span, options: FormatOptions): readonly TextEdit[];
  /** Edits of the white space around a character that was just typed, directly before the offset. */
  formatTyped(offset: number, character: string, options: FormatOptions): readonly TextEdit[];
  /** The text of a message that an offset lies in. */
  textAt(offset: number): TextPlace | undefined;
  /** Other ways to write what a range touches; what is larger than `most` characters is left alone. */
  rewrites(range: Span, most: number): readonly Rewrite[];
  /** The tensors that touch a span or, without one, all in the order of the text; read as they are asked for. */
  tensors(within?: Span): Iterable<TensorPlace>;
  /**
   * The messages that touch a span or, without one, all in the order of the text; container lines directly above one
   * count to it and lie outside of it. Read as they are asked for.
   */
  messages(within?: Span): Iterable<Span>;
  /**
   * What is known of the tools that are called in a span or, without one, anywhere in the text; where several agents are
   * called, of tools that all of them declare alike.
   */
  tools(within?: Span): ToolTable;
  /** Requests in the order of the text, each with what its container lines say; who needs only `max` says so. */
  requests(max?: number): readonly SendableRequest[];
  /** The variables and named requests that container lines define, in the order of the text. */
  definitions(): readonly Definition[];
  /** The name that an offset touches. */
  nameAt(offset: number): NameOccurrence | undefined;
  /** The places where a name stands, in their order, in the whole text or in a span of it; read as they are asked for. */
  findName(name: Name, within?: Span): Iterable<NameOccurrence>;
  /** A new name as it is written in the place of an old one. */
  writeName(place: NameOccurrence, newName: string): string;
  /** What a search over many files lists of this one. */
  landmarks(): readonly Landmark[];
  /** Requests with their replies. */
  exchanges(): readonly Exchange[];
  /** What a selection at an offset grows through, from the inside out; the last is the whole text. */
  selectionPath(offset: number): readonly Span[];
}

/** A parsed text as a language's own functions share it. */
export interface ParsedText {
  readonly text: SourceText;
  readonly settings: Settings;
}

/** A language's functions, each over the parsed text. */
export interface LanguageParts<Doc extends ParsedText> {
  parse(text: string, settings: Settings): Doc;
  /** The document after an edit, the same as `parse` of the new text gives; without it the text is parsed anew. */
  edit?(doc: Doc, edit: TextEdit): Doc;
  /** Only in a language that has several. */
  dialect?(doc: Doc): DialectReading;
  /** Only in a language whose files declare tools. */
  agentTools?(doc: Doc): AgentTools;
  /** Only in a language whose calls are held to tools. */
  withTools?(doc: Doc, others: AgentTools): Doc;
  validate(doc: Doc): readonly Issue<RuleCode>[];
  hover(doc: Doc, offset: number): Hover | undefined;
  complete(doc: Doc, offset: number, context?: CompletionContext): readonly Completion[];
  describe(doc: Doc, topic: string): string | undefined;
  /** Only in a language whose arguments stand by their places. */
  signature?(doc: Doc, offset: number): Signature | undefined;
  symbols(doc: Doc): readonly OutlineSymbol[];
  folds(doc: Doc, most: number): FoldList;
  tokens(doc: Doc, span: Span): PackedTokens;
  hints(doc: Doc, span: Span): readonly TextHint[];
  links(doc: Doc, most: number): LinkList;
  format(doc: Doc, options?: FormatOptions): readonly TextEdit[];
  formatRange(doc: Doc, range: Span, options: FormatOptions): readonly TextEdit[];
  formatTyped(doc: Doc, offset: number, character: string, options: FormatOptions): readonly TextEdit[];
  /** Only in a language whose messages hold texts of their own. */
  textAt?(doc: Doc, offset: number): TextPlace | undefined;
  /** Undefined for a language in which a thing can be written in one way only. */
  rewrites?(doc: Doc, range: Span, most: number): readonly Rewrite[];
  /** Only in a language that has tensors. */
  tensors?(doc: Doc, within: Span): Iterable<TensorPlace>;
  messages(doc: Doc, within: Span): Iterable<Span>;
  /** Only in a language whose calls are held to tools. */
  tools?(doc: Doc, within: Span): ToolTable;
  requests(doc: Doc, max?: number): readonly SendableRequest[];
  definitions(doc: Doc): readonly Definition[];
  nameAt(doc: Doc, offset: number): NameOccurrence | undefined;
  findName(doc: Doc, name: Name, within: Span): Iterable<NameOccurrence>;
  writeName(doc: Doc, place: NameOccurrence, newName: string): string;
  landmarks(doc: Doc): readonly Landmark[];
  exchanges(doc: Doc): readonly Exchange[];
  selectionPath(doc: Doc, offset: number): readonly Span[];
}

/** What a language gives to a server, a command line or a test. */
export interface LanguageSupport {
  readonly id: LanguageId;
  open(text: string, settings: Settings): OpenDocument;
}

const NO_TOOLS: ToolTable = { isComplete: false, tools: new Map() };

/** Binds a language's functions into its support. */
export function bindLanguage<Doc extends ParsedText>(
  id: LanguageId,
  parts: LanguageParts<Doc>,
): LanguageSupport {
  const bind = (doc: Doc): OpenDocument => ({
    language: id,
    text: doc.text,
    dialect: () => parts.dialect?.(doc),
    edit: edit => bind(parts.edit?.(doc, edit) ?? parts.parse(String(doc.text.edit(edit)), doc.settings)),
    agentTools: () => parts.agentTools?.(doc) ?? NO_AGENT_TOOLS,
    withTools: others => bind(parts.withTools?.(doc, others) ?? doc),
    validate: () => parts.validate(doc),
    hover: offset => parts.hover(doc, offset),
    complete: (offset, context) => parts.complete(doc, offset, context).slice(0, MOST_COMPLETIONS),
    describe: topic => parts.describe(doc, topic),
    signature: offset => parts.signature?.(doc, offset),
    symbols: () => parts.symbols(doc),
    folds: (most = Infinity) => parts.folds(doc, most),
    tokens: span => parts.tokens(doc, span),
    hints: span => parts.hints(doc, span),
    links: most => parts.links(doc, most),
    format: options => parts.format(doc, options),
    formatRange: (range, options) => parts.formatRange(doc, range, options),
    formatTyped: (offset, character, options) => parts.formatTyped(doc, offset, character, options),
    textAt: offset => parts.textAt?.(doc, offset),
    rewrites: (range, most) => parts.rewrites?.(doc, range, most) ?? [],
    tensors: (within = { start: 0, end: doc.text.length }) => parts.tensors?.(doc, within) ?? [],
    messages: (within = { start: 0, end: doc.text.length }) => parts.messages(doc, within),
    tools: (within = { start: 0, end: doc.text.length }) => parts.tools?.(doc, within) ?? NO_TOOLS,
    requests: max => parts.requests(doc, max),
    definitions: () => parts.definitions(doc),
    nameAt: offset => parts.nameAt(doc, offset),
    findName: (name, within = { start: 0, end: doc.text.length }) => parts.findName(doc, name, within),
    writeName: (place, newName) => parts.writeName(doc, place, newName),
    landmarks: () => parts.landmarks(doc),
    exchanges: () => parts.exchanges(doc),
    selectionPath: offset => parts.selectionPath(doc, offset),
  });
  return { id, open: (text, settings) => bind(parts.parse(text, settings)) };
}
