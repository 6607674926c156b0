import type { CancellationToken } from 'vscode-languageserver';
import { costTable } from '../../../protocols/cost/cost-table.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { textIn } from '../../../core/values/value.ts';
import type { Span } from '../../../core/text/span.ts';
import {
  COST,
  isCostParams,
  isTokensParams,
  TOKENS,
  type CostParams,
  type CostResult,
  type TokensResult,
} from '../../../wire/cost-requests.ts';
import { messagesAt } from '../converting/conversion.ts';
import { Answers } from '../costing/answers.ts';
import { countSpan, loadEncoding } from '../costing/counting.ts';
import { guardRequest } from '../guard.ts';
import { toOffset, toRange, toSpan } from '../lsp.ts';
import { runInSlices } from '../slices.ts';
import type { Feature, FeatureHost } from './feature.ts';

/** What messages cost in every protocol. */
export const cost: Feature = {
  name: 'cost',
  capabilities: () => ({}),
  register(host) {
    const known = new Answers<CostResult>();
    host.connection.onRequest<unknown, void>(COST, (params: unknown, token: CancellationToken) => {
      if (!isCostParams(params)) return FAILED;
      const { uri } = params.source;
      const work = { feature: 'cost', ...(uri !== undefined && { uri }) };
      return guardRequest<CostResult, void>(host, work, FAILED, token, async () => {
        const document = uri === undefined ? undefined : host.documents.find(uri)?.document;
        if (uri !== undefined && !document)
          return refuse('The document is in no language of Parley, or was closed');
        const answer = (): Promise<CostResult | undefined> => compare(host, params, document, token);
        return (await known.get(document, params, answer)) ?? FAILED;
      });
    });
  },
};

/** What the message under a cursor costs. */
export const tokens: Feature = {
  name: 'tokens',
  capabilities: () => ({}),
  register(host) {
    const titles = new Answers<string>();
    host.connection.onRequest<unknown, void>(TOKENS, (params: unknown, token: CancellationToken) => {
      if (!isTokensParams(params)) return null;
      const snapshot = host.documents.find(params.uri);
      if (!snapshot) return null;
      const { document, version } = snapshot;
      const work = { feature: 'tokens', uri: params.uri, version };
      return guardRequest<TokensResult | null, void>(host, work, null, token, async () => {
        const offset = toOffset(document, params.position);
        const span = messagesAt(document, { start: offset, end: offset });
        if (!span) return null;
        const count = await countSpan(host, document, { span, encoding: params.encoding }, token);
        if (!count) return null;
        const findTitle = (): Promise<string> => Promise.resolve(titleOf(document, span));
        const title = (await titles.get(document, span, findTitle)) ?? '';
        return { version, range: toRange(document, span), title, ...count };
      });
    });
  },
};

function refuse(reason: string): CostResult {
  return { ok: false, reason };
}

const FAILED = refuse('The cost could not be found out: see the log of Parley');

async function compare(
  host: FeatureHost,
  { source, encoding: name }: CostParams,
  document: OpenDocument | undefined,
  token: CancellationToken,
): Promise<CostResult | undefined> {
  const encoding = await loadEncoding(host, name).catch(describeFailure);
  if (typeof encoding === 'string') return refuse(encoding);
  const within = document && source.range && messagesAt(document, toSpan(document, source.range));
  if (source.range && !within) return refuse('There is no message in the selection');
  const text = document
    ? document.text.slice(within?.start ?? 0, within?.end ?? document.text.length)
    : (source.text ?? '');
  const from = source.from ?? document?.language;
  const tools = document?.tools(within);
  const work = costTable(text, { name, encoding, from, tools, now: () => host.runtime.now() });
  const table = await runInSlices(host, work, token);
  return table && { ok: true, table };
}

function describeFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Tokens cannot be counted here, because the encoding could not be loaded: ${reason}`;
}

/** The tool that a message calls, else what it is. */
function titleOf(document: OpenDocument, { start, end }: Span): string {
  const text = document.text.slice(start, end);
  const { messages } = readMessages(text, { from: document.language, report: new Report() });
  const message = messages[0]?.message;
  return textIn(message?.fields.tool) ?? message?.kind ?? 'message';
}
