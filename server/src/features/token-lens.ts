import {
  CodeLensResolveRequest,
  type CancellationToken,
  type CodeLens,
  type Position,
  type Range,
} from 'vscode-languageserver';
import { countOf } from '../../../core/text/count.ts';
import { COMPARE_COST_COMMAND } from '../../../wire/cost-requests.ts';
import { isNumber, isShape, isString, type Guard } from '../../../core/guard.ts';
import { isLinePosition, isWireRange } from '../../../wire/places.ts';
import { countSpan } from '../costing/counting.ts';
import { guardRequest } from '../guard.ts';
import { toSpan } from '../lsp.ts';
import type { Feature, FeatureHost } from './feature.ts';

/** The data of a code lens without a title, until it is resolved. */
export interface TokenLensData {
  readonly uri: string;
  readonly version: number;
  /** The range whose tokens are counted. */
  readonly range: Range;
  /** The argument of the lens's command. */
  readonly place: Position | Range;
}

/** Counts the tokens for a code lens that became visible. */
export const tokenLens: Feature = {
  name: 'tokenLens',
  capabilities: () => ({}),
  register(host) {
    const method = CodeLensResolveRequest.method;
    host.connection.onRequest<unknown, void>(method, (lens: CodeLens, token: CancellationToken) => {
      const data: unknown = lens.data;
      if (!isTokenLens(data)) return lens;
      const work = { feature: 'tokenLens', uri: data.uri, version: data.version };
      return guardRequest<CodeLens, void>(host, work, lens, token, () => resolve(host, lens, data, token));
    });
  },
};

async function resolve(
  host: FeatureHost,
  lens: CodeLens,
  { uri, version, range, place }: TokenLensData,
  token: CancellationToken,
): Promise<CodeLens> {
  const snapshot = host.documents.find(uri);
  // In another version the range has another meaning; the client asks for all lenses again after an edit.
  if (snapshot?.version !== version) return lens;
  const { document, settings } = snapshot;
  const question = { span: toSpan(document, range), encoding: settings['tokens.encoding'] };
  const count = await countSpan(host, document, question, token).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    host.reportOnce(uri, `no tokens are counted, because the encoding could not be loaded: ${reason}`);
  });
  if (!count) return lens;
  const title = `${count.isExact ? '' : '≈'}${countOf(count.tokens, 'token')}`;
  const command = host.options().canConvert ? COMPARE_COST_COMMAND : '';
  return { range: lens.range, command: { title, command, arguments: [uri, place] } };
}

const isTokenLens: Guard<TokenLensData> = isShape({
  uri: isString,
  version: isNumber,
  range: isWireRange,
  place: (value: unknown): value is Position | Range => isWireRange(value) || isLinePosition(value),
});
