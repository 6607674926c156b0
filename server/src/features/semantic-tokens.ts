import {
  SemanticTokensDeltaRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRefreshRequest,
  SemanticTokensRequest,
  type ClientCapabilities,
  type SemanticTokens,
  type SemanticTokensDelta,
} from 'vscode-languageserver';
import { TOKEN_KINDS } from '../../../core/catalog/token-kinds.ts';
import type { Span } from '../../../core/text/span.ts';
import type { Snapshot } from '../documents.ts';
import { toSpan } from '../lsp.ts';
import { SemanticTokenEncoder } from '../semantic-token-encoder.ts';
import { LONGEST_LINE, shownParts } from '../shown-parts.ts';
import { requestFeature, type Feature, type FeatureHost } from './feature.ts';

/** Maximum number of characters for which tokens are returned at once. */
const LONGEST_DOCUMENT = 500_000;

/**
 * Semantic tokens of a whole document, as a delta to the previous result, or of a range. For a document of more than
 * `LONGEST_DOCUMENT` characters the result for the whole is null, so that the client asks for the visible ranges.
 * Clients without range requests get the tokens of its first characters. Both are logged once.
 */
export const semanticTokens: Feature = {
  name: 'semanticTokens',
  capabilities: () => ({
    semanticTokensProvider: {
      legend: { tokenTypes: TOKEN_KINDS.map(row => row.name), tokenModifiers: [] },
      range: true,
      full: { delta: true },
    },
  }),
  register(host) {
    const answers = new Answers();
    for (const part of [whole(answers), difference(answers), range]) part.register(host);
  },
  async refresh(host, change) {
    if (change !== 'settings' || host.client.workspace?.semanticTokens?.refreshSupport !== true) return;
    await host.connection.sendRequest(SemanticTokensRefreshRequest.type);
  },
};

const NO_CAPABILITY = (): object => ({});

const whole = (answers: Answers): Feature =>
  requestFeature({
    name: 'semanticTokens',
    type: SemanticTokensRequest.type,
    capabilities: NO_CAPABILITY,
    neutral: null,
    answer: (snapshot, _params, host): SemanticTokens | null => {
      const data = encodeWhole(snapshot, host);
      return data ? { resultId: answers.keep(snapshot, data, host), data } : null;
    },
  });

const difference = (answers: Answers): Feature =>
  requestFeature({
    name: 'semanticTokensDelta',
    type: SemanticTokensDeltaRequest.type,
    capabilities: NO_CAPABILITY,
    neutral: null,
    answer: (snapshot, params, host): SemanticTokens | SemanticTokensDelta | null => {
      const before = answers.find(snapshot.uri, params.previousResultId);
      const data = encodeWhole(snapshot, host);
      if (!data) return null;
      const resultId = answers.keep(snapshot, data, host);
      return before ? { resultId, edits: [differenceOf(before, data)] } : { resultId, data };
    },
  });

const range = requestFeature({
  name: 'semanticTokensRange',
  type: SemanticTokensRangeRequest.type,
  capabilities: NO_CAPABILITY,
  neutral: null,
  answer(snapshot, params, host): SemanticTokens | null {
    const { start, end } = toSpan(snapshot.document, params.range);
    const most = start + LONGEST_DOCUMENT;
    if (end > most)
      host.reportOnce(
        snapshot.uri,
        `only the first ${LONGEST_DOCUMENT} characters of a range are coloured by meaning`,
      );
    return { data: encode(snapshot, { start, end: Math.min(end, most) }, host) };
  },
});

function encodeWhole(snapshot: Snapshot, host: FeatureHost): number[] | undefined {
  const { uri } = snapshot;
  const { length } = snapshot.document.text;
  if (length <= LONGEST_DOCUMENT) return encode(snapshot, { start: 0, end: length }, host);
  if (asksForRanges(host.client)) {
    host.reportOnce(
      uri,
      `more than ${LONGEST_DOCUMENT} characters: only what is shown is coloured by meaning`,
    );
    return undefined;
  }
  host.reportOnce(uri, `only the first ${LONGEST_DOCUMENT} characters are coloured by meaning`);
  return encode(snapshot, { start: 0, end: LONGEST_DOCUMENT }, host);
}

function asksForRanges(client: ClientCapabilities): boolean {
  const requested = client.textDocument?.semanticTokens?.requests?.range;
  return requested !== undefined && requested !== false;
}

/** The tokens of a span; of an overlong line only those at its start. */
function encode({ document, uri }: Snapshot, span: Span, host: FeatureHost): number[] {
  const encoder = new SemanticTokenEncoder(document.text);
  let left = span.end - span.start;
  for (const part of shownParts(document, span)) {
    encoder.add(document.tokens(part));
    left -= part.end - part.start;
  }
  if (left > 0)
    host.reportOnce(uri, `only the first ${LONGEST_LINE} characters of a line are coloured by meaning`);
  return encoder.data;
}

/** One edit from the old to the new numbers: everything between their common start and end. */
function differenceOf(
  before: readonly number[],
  after: number[],
): { start: number; deleteCount: number; data: number[] } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same])
    same++;
  return { start, deleteCount: before.length - start - same, data: after.slice(start, after.length - same) };
}

/** The last result for each open document, as the base of the next delta. */
class Answers {
  readonly #last = new Map<string, { readonly id: string; readonly data: readonly number[] }>();

  find(uri: string, id: string): readonly number[] | undefined {
    const last = this.#last.get(uri);
    return last?.id === id ? last.data : undefined;
  }

  /** Stores a result, drops those of closed documents, and returns the result's id. */
  keep({ uri, serial }: Snapshot, data: readonly number[], { documents }: FeatureHost): string {
    for (const known of this.#last.keys()) if (!documents.find(known)) this.#last.delete(known);
    const id = String(serial);
    this.#last.set(uri, { id, data });
    return id;
  }
}
